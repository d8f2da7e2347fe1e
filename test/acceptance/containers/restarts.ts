import { randomUUID } from 'node:crypto'
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
    expect((await small().script('scale', 'home', '2')).status).toBe(0)
    await running.more(100)
    for (const id of await idsOf('home')) {
      await docker('restart', id)
      await healthy(id)
      await running.more(100)
    }
    expect(failures(await running.stop())).toEqual([])
  })

  test('a killed replica fails at most its current requests and restarts', async () => {
    const ids = await idsOf('home')
    expect(ids).toHaveLength(2)
    const running = load()
    await running.more(200)
    // All but the container's init, which ends with them: to the engine this is not a stop that somebody asked for.
    await docker('exec', ids[0] ?? '', 'sh', '-c', 'kill -KILL -1')
    await running.more(500)
    const endings = await running.stop()
    const failed = failures(endings)
    expect(failed.length, failed.join('\n')).toBeLessThanOrEqual(CONNECTIONS)
    await expect.poll(() => docker('inspect', '--format', '{{.RestartCount}}', ids[0] ?? '')).toBe('1')
    await healthy(ids[0] ?? '')
  })

  test('one of two replicas is removed without a failed request', async () => {
    const running = load()
    await running.more(100)
    const outcome = await small().script('scale', 'home', '1')
    expect(outcome.status, outcome.stderr).toBe(0)
    await running.more(100)
    expect(failures(await running.stop())).toEqual([])
    expect(await idsOf('home')).toHaveLength(1)
  })

  test('while a database restarts its service returns 503, and then recovers', async () => {
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

  test('a restarting gateway aborts no request and is down for only seconds', async ({ annotate }) => {
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
