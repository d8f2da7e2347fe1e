import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resultLines } from '../../../src/conformance/report.ts'
import { SMALL } from '../containers/definitions.ts'
import { outcomeOf } from '../containers/docker.ts'
import { failures, type LoadRequest, startLoad } from '../containers/load.ts'
import { CLUSTER_ENV, deployToKubernetes, kubectl, type KubernetesDeployment } from './cluster.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

async function expectConformance(deployment: KubernetesDeployment): Promise<void> {
  const { results } = await deployment.check()
  expect(resultLines(results, PAINT, true)).toEqual([])
  expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
}

test('a platform without users does what its definition says', { timeout: 600_000 }, async () => {
  const deployment = await deployToKubernetes(
    'KubePlain: project {} Note: service { text: string(100); #enumerable; Mark: struct { at: datetime; } }',
  )
  try {
    await expectConformance(deployment)
  } finally {
    await deployment.destroy()
  }
})

describe('a platform with users', () => {
  let small: KubernetesDeployment
  let headers: Readonly<Record<string, string>>
  let owner: string

  beforeAll(async () => {
    small = await deployToKubernetes(SMALL.replace('Small:', 'KubeSmall:'))
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

  /** Sends at least 1,000 requests while something changes, and expects that none fails. */
  async function underLoad(change: () => Promise<unknown>): Promise<void> {
    const load = startLoad(small.gateway, nextRequest)
    await load.more(200)
    await change()
    await load.more(800)
    expect(failures(await load.stop())).toEqual([])
  }

  async function script(...args: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await small.script(...args)
    expect(status, stderr).toBe(0)
    return stdout
  }

  test('does what its definition says', () => expectConformance(small))

  test('a deployment without a change changes nothing', async () => {
    const before = await small.kubectl('get', 'pods', '-o', 'name')
    expect(await script()).toBe(`GATEWAY_ENTRY=${small.gateway}\n`)
    expect(await small.kubectl('get', 'pods', '-o', 'name')).toBe(before)
    for (const directory of ['overlay', 'migrate']) {
      const kustomization = path.join(small.directory, '.deploy', directory)
      const diff = await kubectl(['diff', '--server-side', '--force-conflicts', '-k', kustomization])
      expect(diff).toEqual({ status: 0, stdout: '', stderr: '' })
    }
  })

  test('secrets are in no manifest, environment or log', async () => {
    const secrets = JSON.parse(await small.kubectl('get', 'secrets', '-o', 'json')) as {
      items: { data: Record<string, string> }[]
    }
    const values = secrets.items
      .flatMap(({ data }) => Object.entries(data))
      .filter(([key]) => /password$|^credentials$/.test(key))
      .map(([, value]) => Buffer.from(value, 'base64').toString().trim().split(' ').at(-1) ?? '')
    // A password and two copies of another one for each service, and the credential.
    expect(values).toHaveLength(3 * 3 + 1)
    const files = readdirSync(small.directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    const running = await small.kubectl('get', 'all,configmaps,events', '-o', 'yaml')
    const logs = await script('logs', '--tail', '-1')
    const known = [...files, running, logs].join('\n')
    expect(values.filter((value) => known.includes(value))).toEqual([])
  })

  test('a service and the gateway with two replicas restart without a failed request', async () => {
    await script('scale', 'gateway', '2')
    await underLoad(() => script('scale', 'home', '2'))
    for (const name of ['home', 'gateway'])
      await underLoad(async () => {
        await small.kubectl('rollout', 'restart', `deployment/${name}`)
        await small.kubectl('rollout', 'status', `deployment/${name}`, '--timeout=120s')
        // The previous pods end after that.
        await sleep(10_000)
      })
  })

  test('a service is scaled to four pods and back without a failed request', () =>
    underLoad(async () => {
      await script('scale', 'home', '4')
      await script('scale', 'home', '1')
      await sleep(10_000)
    }))

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
    const others = endings.filter(
      ({ status, body }) => status >= 300 && !(status === 503 && body === '{"error":"Home is unavailable"}'),
    )
    expect(failures(others)).toEqual([])
    expect(endings.filter(({ status }) => status === 0)).toEqual([])
    expect(failures(endings.filter(({ begin }) => begin > recovered))).toEqual([])
    const response = await fetch(`http://${small.gateway}/api/home/${id}`, { headers })
    expect(await response.json()).toMatchObject({ address: 'kept' })
  })

  test('a service that cannot start is named with its own words, while the previous version serves', async () => {
    const settings = path.join(small.directory, 'home/.env')
    writeFileSync(settings, 'LOG_LEVEL=loud\n')
    const { status, stdout, stderr } = await small.script()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/deploy\.sh: Could not start home: the pod home-\S+ has CrashLoopBackOff/)
    expect(stderr).toContain('LOG_LEVEL must be debug, info, warn or error')
    expect((await fetch(`http://${small.gateway}/api/home/all`, { headers })).status).toBe(200)
    rmSync(settings)
    await script()
  })

  test('what keeps a deployment from beginning is said in a sentence', async () => {
    const outcome = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const all = { ...CLUSTER_ENV, ...env }
      const { status, stderr } = await outcomeOf('./deploy.sh', [], { cwd: small.directory, env: all })
      expect(status).toBe(1)
      return stderr
    }
    expect(await outcome({ KUBE_CONTEXT: 'nowhere' })).toBe(
      'deploy.sh: Unknown context nowhere. Set KUBE_CONTEXT to one of: kube\n',
    )
    expect(await outcome({ OVERLAY: 'nowhere' })).toBe(
      'deploy.sh: Unknown overlay nowhere. Available: local production\n',
    )
    expect(await outcome({ KUBECONFIG: '/dev/null' })).toContain('kubectl has no current context')
  })

  test('a credential is rotated without a failed request', async () => {
    await underLoad(() => script('rotate'))
    await script('rotate', '--finish')
    await expect
      .poll(async () => (await fetch(`http://${small.gateway}/api/home/all`, { headers })).status, {
        timeout: 150_000,
      })
      .toBe(401)
  })
})
