import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GeneratedFile } from '../../../src/emit/contract.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { ownPostgres } from '../../postgres.ts'
import { readActions } from '../../examples/walkthrough.ts'
import { inLanguage, platformOf, setupPath, setupText } from '../platform.ts'
import { type ServiceProcess, startService } from '../service-process.ts'

const DEFINITION = `P: project { #metrics(prometheus); }
Home: service { name: string @unique; beds: int = 1; sibling: Home?; #enumerable; Photo: struct { url: string; #enumerable; } }
Stay: service { home: Home; }`

const SETUP = setupText(
  `import type { Env, Router } from './hooks.ts'
import documented from './documented.ts'
export default function setup(env: Env, router: Router) {
  documented(env, router)
  router.get('/home/:id/custom', (c) => c.json({}))
  router.get('/home/:id/slow', async (c) => { await new Promise((end) => setTimeout(end, 60)); return c.json({}) })
  router.get('/home/:id/failing', async () => { throw new Error('failed') })
}`,
  'metrics-home.go',
)

/** The setup that docs/observability.md shows, as a function of a file of its own. */
function documented(): Record<string, string> {
  const page = readFileSync(new URL('../../../docs/observability.md', import.meta.url), 'utf8')
  const found = readActions(page).find((action) => 'path' in action && action.path === inLanguage(SHOWN))
  if (found === undefined || !('content' in found)) throw new Error('The page has no example')
  const content = found.content.replace('func setup(', 'func documented(').replace('/stays/', '/p/')
  return { [setupPath('home').replace('setup', 'documented')]: content }
}
const SHOWN = { typescript: 'home/src/setup.ts', go: 'home/setup.go' }

/** The name of a series with its labels in the order of the alphabet, as Go writes them. */
const sorted = (series: string) =>
  series.replace(/\{(.*)\}/, (_all, labels: string) => `{${labels.split(',').sort().join()}}`)
/** The value of a sample: `home_request_success_total{request_type="createHome"}`. */
const sample = (text: string, name: string) => {
  const line = text.split('\n').find((each) => sorted(each).startsWith(`${sorted(name)} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

const discarded: (() => Promise<void>)[] = []
let service: ServiceProcess
let url: string
let server: Awaited<ReturnType<typeof ownPostgres>>

async function metrics(): Promise<string> {
  const response = await fetch(`${service.metricsUrl}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  return response.text()
}

beforeAll(async () => {
  const files: readonly GeneratedFile[] = emitProject(platformOf(DEFINITION))
  server = await ownPostgres()
  discarded.push(() => server.discard())
  ;({ url } = await server.ensureDatabase('home'))
  service = await startService(
    files,
    'home',
    { DATABASE_URL: url },
    {
      [setupPath('home')]: SETUP,
      ...documented(),
    },
  )
  discarded.push(() => service.discard())
})
afterAll(async () => {
  for (const discard of discarded.toReversed()) await discard()
})

const send = (method: string, path: string, body?: unknown, at = service.url) =>
  fetch(`${at}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

describe('the metrics of a service', () => {
  test('have a value for each kind of request before the first one', async () => {
    const text = await metrics()
    for (const name of ['createHome', 'listHome', 'readPhoto', 'checkReferences', 'custom', 'other']) {
      expect(sample(text, `home_request_success_total{request_type="${name}"}`)).toBe(0)
      expect(sample(text, `home_request_failure_total{request_type="${name}",error_code="500"}`)).toBe(0)
      expect(sample(text, `home_request_seconds_count{request_type="${name}"}`)).toBe(0)
    }
    // The lists of structs have two paths. Prometheus rejects all but one of several samples of a series.
    const series = text.split('\n').flatMap((line) => /^[^#].*(?= )/.exec(line) ?? [])
    expect(series).toEqual([...new Set(series)])
    expect(text).toContain(inLanguage({ typescript: 'nodejs_eventloop_lag_seconds', go: 'go_goroutines' }))
    expect(text).toContain('process_cpu_seconds_total')
  })

  test('count requests by what they do, never by path', async () => {
    const created = (await (await send('POST', '/home', { name: 'a' })).json()) as { id: string }
    const home = `/home/${created.id}`
    const requests: [string, string, unknown?, string?][] = [
      ['GET', home],
      ['HEAD', home],
      ['GET', `/api${home}`, undefined, service.internalUrl],
      ['PUT', home, { name: 'b' }],
      ['GET', '/home/all'],
      ['POST', `${home}/photo`, { url: 'u' }],
      ['GET', `${home}/photo/all`],
      ['GET', `${home}/photo/${created.id}/all`],
      ['POST', '/references', { ids: [created.id] }, service.internalUrl],
      ['GET', `${home}/custom`],
      ['GET', `${home}/failing`],
      ['GET', '/home/00000000-0000-7000-8000-000000000000'],
      ['GET', '/secret-path/ada@example.com'],
      ['PATCH', '/home'],
      ['POST', '/home', {}],
      ['POST', '/home', { name: 'b' }],
    ]
    for (const [method, path, body, at] of requests) await send(method, path, body, at)
    const text = await metrics()
    const success = (type: string) => sample(text, `home_request_success_total{request_type="${type}"}`)
    const failure = (type: string, code: number) =>
      sample(text, `home_request_failure_total{request_type="${type}",error_code="${code}"}`)
    expect({
      createHome: success('createHome'),
      readHome: success('readHome'),
      updateHome: success('updateHome'),
      listHome: success('listHome'),
      createPhoto: success('createPhoto'),
      listPhoto: success('listPhoto'),
      checkReferences: success('checkReferences'),
      custom: success('custom'),
      other: success('other'),
    }).toEqual({
      createHome: 1,
      readHome: 3,
      updateHome: 1,
      listHome: 1,
      createPhoto: 1,
      listPhoto: 2,
      checkReferences: 1,
      custom: 1,
      other: 0,
    })
    expect(failure('custom', 500)).toBe(1)
    expect(failure('readHome', 404)).toBe(1)
    expect(failure('other', 404)).toBe(1)
    expect(failure('other', 405)).toBe(1)
    expect(failure('createHome', 400)).toBe(1)
    expect(failure('createHome', 409)).toBe(1)
    expect(sample(text, 'home_database_failure_total{reason="constraint"}')).toBe(1)
    expect(sample(text, 'home_request_seconds_count{request_type="readHome"}')).toBe(4)
    for (const value of [created.id, 'secret-path', 'ada@example.com']) expect(text).not.toContain(value)
  })

  test('include those that setup registers in env.metrics', async () => {
    expect(sample(await metrics(), 'home_opened_total{size="large"}')).toBeUndefined()
    const created = await send('POST', '/home', { name: 'castle', beds: 9 })
    const { id } = (await created.json()) as { id: string }
    await send('GET', `/home/${id}`)
    expect(sample(await metrics(), 'home_opened_total{size="large"}')).toBe(1)
  })

  test('have buckets that contain those before them', async () => {
    await send('GET', '/home/1/slow')
    const text = await metrics()
    const bucket = (le: string) =>
      sample(text, `home_request_seconds_bucket{request_type="custom",le="${le}"}`) ?? Number.NaN
    const count = sample(text, 'home_request_seconds_count{request_type="custom"}') ?? Number.NaN
    expect(bucket('0.05')).toBeLessThan(count)
    expect(bucket('10')).toBe(count)
    expect(bucket('+Inf')).toBe(count)
    expect(sample(text, 'home_request_seconds_sum{request_type="custom"}')).toBeGreaterThan(0.05)
  })

  test('measure statements and connections', async () => {
    await send('GET', '/home/all')
    const text = await metrics()
    for (const type of ['select', 'insert', 'update'])
      expect(sample(text, `home_database_request_seconds_count{query_type="${type}"}`), type).toBeGreaterThan(
        0,
      )
    expect(sample(text, 'home_database_up')).toBe(1)
    expect(sample(text, 'home_database_migrated')).toBe(1)
    expect(sample(text, 'home_database_connections_max')).toBe(10)
    expect(sample(text, 'home_database_connections_waiting')).toBe(0)
    expect(sample(text, 'home_database_connections{state="idle"}')).toBeGreaterThan(0)
  })

  test('say when the schema is outdated, and when the database is away', async () => {
    const sql = postgres(url)
    await sql`ALTER TABLE _migration RENAME TO hidden`
    const outdated = await metrics()
    expect(sample(outdated, 'home_database_up')).toBe(1)
    expect(sample(outdated, 'home_database_migrated')).toBe(0)
    await sql.end()

    process.kill(server.pid, 'SIGKILL')
    await server.ended
    expect((await send('GET', '/home/all')).status).toBe(503)
    const text = await metrics()
    expect(sample(text, 'home_database_up')).toBe(0)
    expect(sample(text, 'home_database_migrated')).toBe(0)
    expect(sample(text, 'home_request_failure_total{request_type="listHome",error_code="503"}')).toBe(1)
  })
})

test('metrics are on a port of their own, which serves nothing else', async () => {
  const statusOf = async (at: string) => (await fetch(at)).status
  expect(await statusOf(`${service.internalUrl}/metrics`)).toBe(404)
  expect(await statusOf(`${service.url}/metrics`)).toBe(404)
  for (const path of ['/', '/health/live', '/references', '/api/home/all'])
    expect([path, await statusOf(`${service.metricsUrl}${path}`)]).toEqual([path, 404])
})

test('a project without #metrics has nothing of it', () => {
  const files = emitProject(platformOf(DEFINITION.replace('#metrics(prometheus);', '')))
  const own = files.filter(({ path }) => !/^(?:lib\/|internal\/|package-lock|go\.sum)/.test(path))
  expect(own.filter(({ path, content }) => /metrics|prom-client|prometheus/i.test(path + content))).toEqual(
    [],
  )
  const lockFile = inLanguage({ typescript: 'package-lock.json', go: 'go.sum' })
  expect(files.find(({ path }) => path === lockFile)?.content).not.toMatch(/prom-client|prometheus/)
  expect(files.filter(({ path }) => /^(?:lib|internal\/platform)\/metrics\./.test(path))).toEqual([])
})
