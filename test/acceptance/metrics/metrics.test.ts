import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { deriveChecks } from '../../../src/conformance/derive-checks.ts'
import { runChecks } from '../../../src/conformance/run.ts'
import { emitObservability } from '../../../src/emit/observability/prometheus.ts'
import { deployedServices } from '../../../src/model/deployed-services.ts'
import { writeFiles } from '../../emit/service-process.ts'
import { platformOf } from '../../emit/platform.ts'
import { freePort } from '../../free-port.ts'
import { type EnvoyProcess, startEnvoy } from '../../gateway/envoy-process.ts'
import { type Replica, serviceProcesses } from '../../gateway/services.ts'
import { alertsWithoutData, expectData } from './expressions.ts'
import { type PrometheusProcess, promtool, startPrometheus } from './prometheus-process.ts'

const STAYS = readFileSync(join(import.meta.dirname, '../../../examples/stays/stays.portico'), 'utf8')
/** With a job that runs every minute: its handler, which nobody has written, fails. */
const platform = platformOf(
  STAYS.replace(/: project \{/, '$& #metrics(prometheus);').replace(
    'Stay: service {',
    '$& Tidy: job { #schedule("* * * * *"); }',
  ),
)
const directories = deployedServices(platform).map(({ directory }) => directory)

const stops: (() => Promise<void>)[] = []
let directory: string
const services = new Map<string, Replica>()
let envoy: EnvoyProcess
let statsPort: number
let prometheus: PrometheusProcess

// A platform of processes behind the real Envoy, with the requests of the conformance suite as its traffic.
beforeAll(async () => {
  directory = await writeFiles(emitObservability(platform), {}, false)
  const processes = await serviceProcesses(platform)
  stops.push(processes.stop)
  for (const name of directories) services.set(name, await processes.start(name))
  const adminPort = await freePort()
  envoy = await startEnvoy(platform, {
    services: {
      ...Object.fromEntries(Array.from(services, ([name, { port }]) => [name, [port]])),
      envoy_admin: [adminPort],
    },
    adminPort,
    secrets: [processes.credential.secret, randomBytes(32).toString('base64url')],
  })
  stops.push(envoy.stop)
  const listeners = await (await fetch(`http://127.0.0.1:${adminPort}/listeners`)).text()
  statsPort = Number(/^stats::127\.0\.0\.1:(\d+)/m.exec(listeners)?.[1])
  const portOf = (url = '') => Number(new URL(url).port)
  const port = (job: string) =>
    job === 'gateway' ? statsPort : portOf(services.get(job)?.process.metricsUrl)
  prometheus = await startPrometheus(directory, (job) => ({
    ...job,
    dns_sd_configs: undefined,
    static_configs: [{ targets: [`127.0.0.1:${port(job.job_name)}`] }],
  }))
  stops.push(prometheus.stop)
  await vi.waitFor(
    async () =>
      expect(await prometheus.query('count(up == 1)')).toMatchObject([{ value: directories.length + 1 }]),
    { timeout: 60_000, interval: 200 },
  )
  const { results } = await runChecks(platform, deriveChecks(platform), {
    gateway: `localhost:${envoy.port}`,
    isolated: true,
    credential: processes.credential,
  })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  // Two scrapes after the traffic.
  await new Promise((resolve) => setTimeout(resolve, 2500))
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

test('every panel of every dashboard has data', async () => {
  const folder = join(directory, 'grafana/dashboards')
  expect((await readdir(folder)).sort()).toEqual(
    ['_platform', ...directories].map((name) => `${name}.json`).sort(),
  )
  await expectData(prometheus, folder, `http://localhost:${envoy.port}/`)
})

test('every alert has data without its threshold, and none has failed', async () => {
  expect(await prometheus.alerts()).toHaveLength(2 + 7 * directories.length + 2)
  expect(await alertsWithoutData(prometheus)).toEqual([])
  expect(await prometheus.query('ALERTS{alertstate="firing"}')).toEqual([])
})

test('promtool accepts the configuration, the rules and their tests', async () => {
  const file = (name: string) => join(directory, 'prometheus', name)
  for (const args of [
    ['check', 'config', file('prometheus.yaml')],
    ['check', 'rules', file('rules.yaml')],
    ['test', 'rules', file('rules.test.yaml')],
  ])
    expect(await promtool(args)).toMatchObject({ status: 0, output: expect.stringContaining('SUCCESS') })
})

test('the rule tests notice an alert that does not fire', async () => {
  const rules = await readFile(join(directory, 'prometheus/rules.yaml'), 'utf8')
  const alerts = Array.from(rules.matchAll(/alert: (\w+)/g), ([, name = '']) => name)
  const broken = rules.replaceAll(/(expr: .*)[<>] ([\d.]+)/g, '$1== 12345')
  const place = await writeFiles(
    emitObservability(platform).filter(({ path }) => path.endsWith('rules.test.yaml')),
    { 'prometheus/rules.yaml': broken },
    false,
  )
  const { status, output } = await promtool(['test', 'rules', join(place, 'prometheus/rules.test.yaml')])
  expect(status).not.toBe(0)
  for (const name of alerts) expect(output).toContain(`alertname: ${name}`)
})

test.each(directories)(
  'promtool finds fault only with the names of Node in the metrics of %s',
  async (name) => {
    const response = await fetch(`${services.get(name)?.process.metricsUrl}/metrics`)
    const { output } = await promtool(['check', 'metrics'], await response.text())
    expect(output.split('\n').filter((line) => line !== '' && !/^(?:nodejs|process)_/.test(line))).toEqual([])
  },
)

test('the listener for metrics serves nothing else of the admin interface', async () => {
  const status = async (path: string, method = 'GET') =>
    (await fetch(`http://127.0.0.1:${statsPort}${path}`, { method })).status
  expect(await status('/stats/prometheus')).toBe(200)
  for (const path of ['/', '/stats', '/config_dump', '/quitquitquit', '/stats/prometheus/../config_dump'])
    expect([path, await status(path)]).toEqual([path, 404])
  expect(await status('/stats/prometheus', 'POST')).toBe(404)
  expect(await status('/quitquitquit', 'POST')).toBe(404)
})
