import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { chapterCommands } from '../containers/chapter-commands.ts'
import { SMALL } from '../containers/definitions.ts'
import type { Outcome } from '../containers/docker.ts'
import { failures, type LoadRequest, startLoad } from '../containers/load.ts'
import { alertsWithoutData, expectData } from '../metrics/expressions.ts'
import { startPrometheus } from '../metrics/prometheus-process.ts'
import { deployToKubernetes, killContainer, kubectl, type KubernetesDeployment } from './cluster.ts'
import { expectConformance } from './expect-conformance.ts'
import { findPods } from './find-pods.ts'
import { problems } from './problems.ts'

/** With another line in `Home`. */
const withLine = (line: string) =>
  SMALL.replace('Small: project {', 'KubeSmall: project { #metrics(prometheus);').replace(
    'owner: Owner;',
    `owner: Owner;\n  ${line}`,
  )
const DEFINITION = withLine('rooms: int(9, 1) = 3;')
/** Renames, adds and widens attributes. */
const CHANGED = withLine('beds: int(9, 1) = 3 @was(rooms);\n  floors: int(9, 1) = 1;').replace(
  'string(200, 1)',
  'string(300, 1)',
)
/** Removes what {@link CHANGED} has renamed. */
const REDUCED = CHANGED.replace('beds: int(9, 1) = 3 @was(rooms);\n', '')

const SERVICE = 'app.kubernetes.io/component=service'

describe('a platform with users', () => {
  let small: KubernetesDeployment
  let headers: Readonly<Record<string, string>>
  let owner: string

  beforeAll(async () => {
    small = await deployToKubernetes(DEFINITION)
    const user = { email: 'load@example.com', password: 'correct horse' }
    const { AccessToken } = (await post('/api/auth/register', user)) as { AccessToken: string }
    headers = { authorization: `Bearer ${AccessToken}`, 'content-type': 'application/json' }
    owner = ((await post('/api/owner', { name: 'Ada' })) as { id: string }).id
  }, 600_000)
  afterAll(() => small.destroy())

  async function post(target: string, body: object): Promise<unknown> {
    const response = await fetch(`http://${small.gateway}${target}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(201)
    return response.json()
  }

  /** Writes and reads by turns; each write also has one service ask another. */
  const nextRequest = (number: number): LoadRequest =>
    number % 2 === 0
      ? { method: 'POST', path: '/api/home', headers, body: JSON.stringify({ address: `${number}`, owner }) }
      : { method: 'GET', path: '/api/home/all?limit=5', headers }

  /** Sends at least 400 requests while something changes, and expects that none fails. */
  async function underLoad(change: () => Promise<unknown>): Promise<void> {
    const load = startLoad(small.gateway, nextRequest)
    await load.more(100)
    await change()
    await load.more(300)
    expect(failures(await load.stop())).toEqual([])
  }

  /** `pod/<name>` of each pod of a service. */
  const podsOf = async (service: string): Promise<string[]> =>
    (
      await small.kubectl('get', 'pods', '-l', `${SERVICE},app.kubernetes.io/name=${service}`, '-o', 'name')
    ).split('\n')

  function evict(pod: string): Promise<Outcome> {
    const name = pod.replace('pod/', '')
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }
    const target = `/api/v1/namespaces/${small.namespace}/pods/${name}/eviction`
    return kubectl(['create', '--raw', target, '-f', '-'], JSON.stringify(eviction))
  }

  async function script(...args: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await small.script(...args)
    expect(status, stderr).toBe(0)
    return stdout
  }

  test('does what its definition says, and Prometheus has data for every panel and alert', async () => {
    // Prometheus runs outside of the cluster, on its only node, which reaches the pods.
    const prometheus = await startPrometheus(small.directory, findPods)
    try {
      await expect
        .poll(async () => new Set((await prometheus.query('up == 1')).map(({ metric }) => metric['job'])), {
          timeout: 60_000,
        })
        .toEqual(new Set(['auth', 'gateway', 'home', 'owner']))
      await expectConformance(small)
      const dashboards = path.join(small.directory, 'grafana/dashboards')
      await expectData(prometheus, dashboards, `http://${small.gateway}/`)
      expect(await alertsWithoutData(prometheus)).toEqual([])
    } finally {
      await prometheus.stop()
    }
  })

  test('a deployment without a change changes nothing', async () => {
    const before = await small.kubectl('get', 'pods', '-o', 'name')
    expect(await script()).toBe(`GATEWAY_ENTRY=${small.gateway}\n`)
    expect(await small.kubectl('get', 'pods', '-o', 'name')).toBe(before)
    const kustomization = path.join(small.directory, '.deploy/overlay')
    const diff = await kubectl(['diff', '--server-side', '--force-conflicts', '-k', kustomization])
    expect(diff).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('secrets are in no manifest, environment or log', async () => {
    const secrets = JSON.parse(await small.kubectl('get', 'secrets', '-o', 'json')) as {
      items: { data: Record<string, string> }[]
    }
    const values = secrets.items
      .flatMap(({ data }) => Object.entries(data))
      .filter(([key]) => /password$|^credentials$/.test(key))
      .map(([, value]) => Buffer.from(value, 'base64').toString().trim().split(' ').at(-1) ?? '')
    // Two passwords for each service, and the credential.
    expect(values).toHaveLength(2 * 3 + 1)
    const files = readdirSync(small.directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    const running = await small.kubectl('get', 'all,configmaps,events', '-o', 'yaml')
    const logs = await script('logs', '--tail', '-1')
    const known = [...files, running, logs].join('\n')
    expect(values.filter((value) => known.includes(value))).toEqual([])
  })

  test('a service and the gateway are scaled and restarted without a failed request', async () => {
    await underLoad(async () => {
      await script('scale', 'gateway', '2')
      await script('scale', 'home', '3')
      const both = ['deployment/home', 'deployment/gateway']
      await small.kubectl('rollout', 'restart', ...both)
      for (const each of both) await small.kubectl('rollout', 'status', each, '--timeout=120s')
      await script('scale', 'home', '2')
      // The previous pods end after that.
      await sleep(10_000)
    })
    await script('scale', 'gateway', '1')
  })

  test('while the pod of a database is replaced its service returns 503, and then has all data', async () => {
    const { id } = (await post('/api/home', { address: 'kept', owner })) as { id: string }
    const load = startLoad(small.gateway, nextRequest)
    await load.more(100)
    await small.kubectl('delete', 'pod', 'home-db-0')
    await small.kubectl('wait', '--for=condition=Ready', 'pod/home-db-0', '--timeout=120s')
    await sleep(5000)
    const recovered = performance.now()
    await load.more(200)
    const endings = await load.stop()
    // From the service or, while it is not ready, from the gateway.
    const unavailable = ['{"error":"Home is unavailable"}', '{"message": "Service Unavailable"}']
    const others = endings.filter(
      ({ status, body }) => status >= 300 && !(status === 503 && unavailable.includes(body)),
    )
    expect(failures(others)).toEqual([])
    expect(endings.filter(({ status }) => status === 0)).toEqual([])
    expect(failures(endings.filter(({ begin }) => begin > recovered))).toEqual([])
    const response = await fetch(`http://${small.gateway}/api/home/${id}`, { headers })
    expect(await response.json()).toMatchObject({ address: 'kept' })
  })

  test('a killed process costs at most the requests that it handles', async () => {
    const [victim = ''] = await podsOf('home')
    const container = await small.kubectl(
      'get',
      victim,
      '-o',
      'jsonpath={.status.containerStatuses[0].containerID}',
    )
    const load = startLoad(small.gateway, nextRequest)
    await load.more(100)
    await killContainer(container.replace('containerd://', ''))
    // The kernel closes its connections a moment later.
    await sleep(1000)
    const killed = performance.now()
    await load.more(400)
    const endings = await load.stop()
    const failed = endings.filter(({ status }) => status === 0 || status >= 300)
    expect(failures(failed.filter(({ begin }) => begin > killed))).toEqual([])
    expect(failed.length, failures(failed).join('\n')).toBeLessThanOrEqual(8)
    expect(
      await small.kubectl('get', victim, '-o', 'jsonpath={.status.containerStatuses[0].restartCount}'),
    ).toBe('1')
  })

  test('an evicted pod costs no request, and another one is not evicted meanwhile', () =>
    underLoad(async () => {
      const [first = '', second = ''] = await podsOf('home')
      expect((await evict(first)).stderr).toBe('')
      expect((await evict(second)).stderr).toContain("would violate the pod's disruption budget")
      await small.kubectl('wait', '--for=delete', first, '--timeout=60s')
      await small.kubectl('rollout', 'status', 'deployment/home', '--timeout=120s')
    }))

  test('two changes of the definition are migrated under load, while a HorizontalPodAutoscaler adds pods', async () => {
    const { id } = (await post('/api/home', { address: 'before', owner })) as { id: string }
    // The previous pods respond for some seconds more.
    const read = () =>
      expect.poll(async () => (await fetch(`http://${small.gateway}/api/home/${id}`, { headers })).json(), {
        timeout: 30_000,
      })
    const change = (definition: string, ...options: readonly string[]) =>
      underLoad(async () => {
        await small.regenerate(definition, ...options)
        await script()
      })
    const pods = async () => (await podsOf('home')).length
    await script('scale', 'home', '1')
    addAutoscaler()
    await change(CHANGED)
    await read().toMatchObject({ address: 'before', beds: 3, floors: 1 })
    const load = startLoad(small.gateway, nextRequest, { pause: 2 })
    // Without load it has its minimum of two.
    await expect.poll(pods, { timeout: 120_000 }).toBeGreaterThan(2)
    expect(failures(await load.stop())).toEqual([])
    rmSync(path.join(small.directory, '.env'))
    await change(REDUCED, '--allow-data-loss', 'Home.beds')
    expect(await small.kubectl('get', 'horizontalpodautoscalers')).toBe('')
    expect(await pods()).toBeGreaterThan(2)
    await script('scale', 'home', '1')
    await script('migrate')
    await read().toEqual({ id, address: 'before', owner, plan: null, floors: 1 })
  }, 600_000)

  /** Deploys an overlay from now on that has the HorizontalPodAutoscaler of `home`. */
  function addAutoscaler(): void {
    const overlays = path.join(small.directory, 'kube/overlays')
    const autoscalers = parseAllDocuments(
      readFileSync(path.join(overlays, 'production/autoscaling.yaml'), 'utf8'),
    )
    const autoscaler = autoscalers.find((each) => each.getIn(['metadata', 'name']) === 'home')
    mkdirSync(path.join(overlays, 'scaled'))
    writeFileSync(path.join(overlays, 'scaled/autoscaling.yaml'), String(autoscaler))
    writeFileSync(
      path.join(overlays, 'scaled/kustomization.yaml'),
      'resources: [../local, autoscaling.yaml]\n',
    )
    writeFileSync(path.join(small.directory, '.env'), 'OVERLAY=scaled\n')
  }

  test('the commands of the README save a database while it is in use, and restore it', async () => {
    const [save = '', restore = ''] = chapterCommands(small.directory, 'Back up and restore')
    const run = async (commands: string) => {
      const { status, stderr } = await small.bash(commands)
      expect(status, stderr).toBe(0)
    }
    const entry = `http://${small.gateway}/api/owner/${owner}`
    await run(save)
    const body = JSON.stringify({ name: 'Changed' })
    expect((await fetch(entry, { method: 'PUT', headers, body })).status).toBe(200)
    await run(restore)
    await expect
      .poll(async () => (await fetch(entry, { headers })).json(), { timeout: 30_000 })
      .toEqual({ id: owner, name: 'Ada' })
  })

  problems(
    () => small,
    REDUCED,
    async () => {
      await underLoad(() => script('rotate'))
      await script('rotate', '--finish')
      const { status } = await fetch(`http://${small.gateway}/api/home/all`, { headers })
      expect(status).toBe(401)
    },
  )

  test('destroy deletes the namespace, and keeps the generated files', async () => {
    await script('destroy', '--yes')
    const { stderr } = await kubectl(['get', 'namespace', small.namespace])
    expect(stderr).toContain('not found')
    expect(readdirSync(small.directory)).toContain('home')
  })
})
