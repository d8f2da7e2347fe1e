import { randomUUID } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Deployment } from './deployment.ts'
import { docker } from './docker.ts'
import { type Ending, failures, type Load, type LoadRequest, longestGap, startLoad } from './load.ts'

const CONNECTIONS = 8

const NOT_SENT = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'])

/** Parts that end under load, and come back. */
export function restarts(small: () => Deployment): void {
  let headers: Readonly<Record<string, string>>
  let owner: string

  beforeAll(async () => {
    const user = { email: 'load@example.com', password: 'correct horse' }
    const { AccessToken } = (await post('/api/auth/register', user)) as { AccessToken: string }
    headers = { authorization: `Bearer ${AccessToken}`, 'content-type': 'application/json' }
    owner = ((await post('/api/owner', { name: 'Ada' })) as { id: string }).id
  })
  async function post(target: string, body: object): Promise<unknown> {
    const answer = await fetch(`http://${small().gateway}${target}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
    return answer.json()
  }

  /** Writes and reads by turns; each write also has one service ask another. `mark` tells loads apart. */
  function nextRequest(mark: string, number: number): LoadRequest {
    return number % 2 === 0
      ? {
          method: 'POST',
          path: '/api/home',
          headers,
          body: JSON.stringify({ address: `${mark} ${number}`, owner }),
        }
      : { method: 'GET', path: '/api/home/all?limit=5', headers }
  }

  function load(): Load {
    const mark = randomUUID()
    return startLoad(small().gateway, (number) => nextRequest(mark, number), { connections: CONNECTIONS })
  }

  /** Waits until a container says that it is healthy, by a check made after it was started. */
  async function healthy(id: string): Promise<void> {
    await expect
      .poll(() => docker('inspect', '--format', '{{.State.Health.Status}}', id), { interval: 200 })
      .toBe('healthy')
  }

  async function idsOf(service: string): Promise<string[]> {
    return (await small().containers(service)).map(({ Id }) => Id)
  }

  test('a service with two replicas restarts one by one without a failed request', async () => {
    const running = load()
    await running.more(100)
    expect(await small().script('scale', 'home', '2')).toMatchObject({
      status: 0,
      stdout: 'home runs in 2 containers.\n',
    })
    await running.more(100)
    for (const id of await idsOf('home')) {
      await docker('restart', id)
      await healthy(id)
      await running.more(100)
    }
    expect(failures(await running.stop())).toEqual([])
  })

  test('a replica that is killed costs the requests that it was at, at most, and comes back by itself', async () => {
    const ids = await idsOf('home')
    expect(ids).toHaveLength(2)
    const running = load()
    await running.more(200)
    // All but the container's init, which ends with them: to the engine this is no stop that somebody asked for.
    await docker('exec', ids[0] ?? '', 'sh', '-c', 'kill -KILL -1')
    await running.more(500)
    const endings = await running.stop()
    const failed = failures(endings)
    expect(failed.length, failed.join('\n')).toBeLessThanOrEqual(CONNECTIONS)
    await expect.poll(() => docker('inspect', '--format', '{{.RestartCount}}', ids[0] ?? '')).toBe('1')
    await healthy(ids[0] ?? '')
  })

  test('new versions of a service and of one that it asks take over without a failed request', async () => {
    const before = [...(await idsOf('home')), ...(await idsOf('owner'))]
    const running = load()
    await running.more(100)
    for (const service of ['home', 'owner'])
      await appendFile(path.join(small().directory, service, 'src/setup.ts'), '\n// A new version.\n')
    const outcome = await small().script()
    expect(outcome.status, outcome.stderr).toBe(0)
    const after = [...(await idsOf('home')), ...(await idsOf('owner'))]
    expect(after).toHaveLength(before.length)
    expect(after.filter((id) => before.includes(id))).toEqual([])
    await running.more(100)
    expect(failures(await running.stop())).toEqual([])
  })

  test('of two replicas one is given up without a failed request', async () => {
    const running = load()
    await running.more(100)
    const outcome = await small().script('scale', 'home', '1')
    expect(outcome).toMatchObject({ status: 0, stdout: 'home runs in 1 container.\n' })
    await running.more(100)
    expect(failures(await running.stop())).toEqual([])
    expect(await idsOf('home')).toHaveLength(1)
  })

  test('while a database restarts its service answers 503, and then as before', async () => {
    const [database] = await idsOf('home-db')
    const running = load()
    await running.more(100)
    await docker('restart', database ?? '')
    await healthy(database ?? '')
    await sleep(3000)
    const recovered = performance.now()
    await running.more(100)
    const endings = await running.stop()
    const failed = endings.filter(({ status }) => status < 200 || status > 299)
    expect(
      failed
        .filter((ending) => !isUnavailable(ending))
        .map(({ status, error, body }) => `${status} ${error} ${body}`),
    ).toEqual([])
    expect(failures(endings.filter(({ begin }) => begin > recovered))).toEqual([])
  })

  function isUnavailable({ status, contentType, body }: Ending): boolean {
    return (
      status === 503 &&
      contentType.startsWith('application/json') &&
      body === '{"error":"Home is unavailable"}'
    )
  }

  test('a gateway that restarts cuts no request off, and is away for seconds', async ({ annotate }) => {
    const [gateway] = await idsOf('gateway')
    const running = load()
    await running.more(200)
    await docker('restart', gateway ?? '')
    await healthy(gateway ?? '')
    await running.more(200)
    const endings = await running.stop()
    const errors = new Set(
      endings
        .filter(({ status }) => status < 200 || status > 299)
        .map(({ error, status }) => error || status),
    )
    // Nobody listens, or the engine's proxy takes the connection and has nobody to pass it to: nothing was sent on.
    expect([...errors].filter((error) => !NOT_SENT.has(String(error)))).toEqual([])
    const list = await fetch(`http://${small().gateway}/api/home/all`, { headers })
    const { HomeList } = (await list.json()) as { HomeList: { address: string }[] }
    const stored = new Set(HomeList.map(({ address }) => address))
    const written = endings.flatMap(({ request, status }) =>
      request.body === undefined ? [] : [[(JSON.parse(request.body) as { address: string }).address, status]],
    )
    expect(written.length).toBeGreaterThan(100)
    expect(written.filter(([address, status]) => stored.has(String(address)) !== (status === 201))).toEqual(
      [],
    )
    await annotate(`The gateway was away for ${Math.round(longestGap(endings))} ms.`)
    expect(longestGap(endings)).toBeLessThan(15_000)
  })
}
