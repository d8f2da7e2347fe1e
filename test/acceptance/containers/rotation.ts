import { decodeJwt } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import type { Deployment } from './deployment.ts'
import { failures, startLoad } from './load.ts'

const USER = { email: 'rotation@example.com', password: 'correct horse' }
/** The credential that signs tokens gets another one, and goes. */
export function rotation(small: () => Deployment): void {
  let old: string

  beforeAll(async () => {
    old = await signIn('register')
  })

  async function signIn(how: 'login' | 'register'): Promise<string> {
    const answer = await fetch(`http://${small().gateway}/api/auth/${how}`, {
      method: 'POST',
      body: JSON.stringify(USER),
    })
    expect(answer.ok).toBe(true)
    return ((await answer.json()) as { AccessToken: string }).AccessToken
  }

  async function statusOf(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`http://${small().gateway}/api/home/all`, { headers })).status
  }

  /** What a service itself answers to a token, asked from its own container past the gateway. */
  async function statusInside(token: string): Promise<string> {
    const script = `const r = await fetch('http://127.0.0.1:8080/home/all', { headers: { authorization: 'Bearer ${token}' } }); console.log(r.status); process.exit()`
    return (await small().exec('home', 'node', '--input-type=module', '-e', script)).stdout.trim()
  }

  test('a credential is rotated without a failed request, and the old one is removed on request', async () => {
    const owner = await fetch(`http://${small().gateway}/api/owner`, {
      method: 'POST',
      headers: { authorization: `Bearer ${old}` },
      body: JSON.stringify({ name: 'Ada' }),
    })
    const { id } = (await owner.json()) as { id: string }
    // Tokens of the old credential write, read and have a service ask another; some sign in, and use what they get.
    const tokens = [old]
    const issuers = new Set<unknown>()
    const load = startLoad(
      small().gateway,
      (number) => {
        const headers = { authorization: `Bearer ${tokens[number % tokens.length] ?? old}` }
        if (number % 3 === 0)
          return {
            method: 'POST',
            path: '/api/home',
            headers,
            body: JSON.stringify({ address: 'x', owner: id }),
          }
        return {
          method: 'GET',
          path: number % 3 === 1 ? '/api/home/all?limit=3' : `/api/owner/${id}`,
          headers,
        }
      },
      { connections: 6, pause: 10 },
    )
    const rotating = new AbortController()
    const users = (async () => {
      while (!rotating.signal.aborted) {
        const token = await signIn('login')
        issuers.add(decodeJwt(token).iss)
        tokens[1] = token
        await load.more(20)
      }
    })()
    const { status, stderr, stdout } = await small().script('rotate')
    await load.more(100)
    rotating.abort()
    await users
    expect(status, stderr).toBe(0)
    expect(stdout).toBe('')
    expect(failures(await load.stop())).toEqual([])
    expect(issuers).toEqual(new Set(['auth-service-1', 'auth-service-2']))

    expect(await statusOf(old)).toBe(200)
    const current = await signIn('login')
    expect(decodeJwt(current).iss).toBe('auth-service-2')
    expect((await small().script('rotate')).stderr).toContain('rotated less than 24 hours ago')

    const finished = await small().script('rotate', '--finish')
    expect(finished.status, finished.stderr).toBe(0)
    await expect.poll(() => statusInside(old)).toBe('401')
    expect(await statusOf(old)).toBe(401)
    expect(await statusInside(old)).toBe('401')
    expect(await statusOf(current)).toBe(200)
    expect(await statusInside(current)).toBe('200')
  })
}
