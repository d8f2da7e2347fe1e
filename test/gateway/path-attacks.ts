import { expect, test } from 'vitest'
import type { TestGateway } from './gateway.ts'
import { get, request } from './raw.ts'
import { tokenOf } from './tokens.ts'

/** Where a request ends: rejected with 400, unknown (404), or at a service under a path. */
type End = 400 | 403 | 404 | `${string} ${string}`

/**
 * Targets and where they may lead a caller with a token. Where there are several, all of them are safe: what
 * counts is that both the check of tokens and the service see the same path.
 */
const TARGETS: readonly (readonly [target: string, ...ends: End[]])[] = [
  ['/api/home/..%2fauth', 400],
  ['/api/home/..%2Fauth/x', 400],
  ['/api/home%2f..%2fauth', 400],
  ['/api%2fhome/x', 400, 404],
  ['/api/home/..%5cauth', 400],
  ['/api/home/..%5Cauth', 400],
  ['/api/auth/..%2fhome/x', 400],
  ['/api/auth/%2e%2e%2fhome/x', 400],
  ['/api/home/%00', 400],
  ['/api/home%00/x', 400],
  ['/api/%00/home/x', 400],
  ['/api/home/x%0d%0aX-User-Id:%201', 400],
  ['/api/home/%7f', 400],
  ['/api/home/x%252f..%252fauth', 'home /home/x%252f..%252fauth'],
  ['//api/home/x', 'home /home/x'],
  ['/api//home/x', 'home /home/x'],
  ['/api/home//x', 'home /home/x'],
  ['///api///home///x', 'home /home/x'],
  ['/api/./home/x', 'home /home/x'],
  ['/./api/home/./x', 'home /home/x'],
  ['/api/home/../home-owner/x', 'home-owner /home-owner/x'],
  ['/api/auth/../home/x', 'home /home/x'],
  ['/api/auth/%2e%2e/home/x', 'home /home/x'],
  ['/api/auth/.%2E/home/x', 'home /home/x'],
  ['/api/auth/%2E./home/x', 'home /home/x'],
  ['/api/nothing/../home/x', 'home /home/x'],
  ['/../../api/home/x', 'home /home/x'],
  ['/api/home/..', 404],
  ['/api/home/../../health/ready', 404],
  ['/api/home/../../../etc/passwd', 404],
  ['/api/auth/..;/home/x', 'auth /auth/..;/home/x', 'home /home/x'],
  ['/api/home;x=1/x', 404],
  ['/api/home;/x', 404],
  ['/api;/home/x', 404],
  ['/api/home/;x', 'home /home/;x'],
  ['/API/home/x', 404],
  ['/api/HOME/x', 404],
  ['/api/Home/x', 404],
  ['/api/%48ome/x', 404],
  ['/api/%68ome/x', 404, 'home /home/x'],
  ['/api/home/', 'home /home/'],
  ['/api/home', 'home /home'],
  ['/api/home?x=/../auth', 'home /home?x=/../auth'],
  ['/api/home?', 'home /home?', 'home /home'],
  ['/api/home/x?a=%2f..%2f', 'home /home/x?a=%2f..%2f'],
  ['/api/home-owner/x', 'home-owner /home-owner/x'],
  ['/api/home-owner', 'home-owner /home-owner'],
  ['/api/home-', 404],
  ['/api/home-owner-x/y', 404],
  ['/api/homeowner/x', 404],
  ['/api/home.', 404],
  ['/api/home%20/x', 404],
  ['/api/home+/x', 404],
  ['/api/home,/x', 404],
  ['/api/home:8081/health/ready', 404],
  ['/home/x', 404],
  ['/ready', 404],
  ['/stats', 404],
  ['/config_dump', 404],
  ['/quitquitquit', 404],
  ['/api/home\\..\\auth\\x', 400, 'auth /auth/x'],
  ['/api\\home/x', 400, 'home /home/x'],
  ['/api/home/x#/../auth', 400, 'home /home/x'],
  ['/api/home/\x80', 400],
  ['/api/home/\xc0\xaf..\xc0\xafauth', 400],
  ['/api/home/%c0%af..%c0%afauth', 400, 'home /home/%c0%af..%c0%afauth', 'home /home/%C0%AF..%C0%AFauth'],
  ['/api/home/%', 400],
  ['/api/home/%2', 400],
  ['/api/home/%zz', 400],
  ['/api/home/%u002e', 400],
  ['/api/home/%2g/x', 400],
  ['/api/home/%%2', 400],
  ['/api/auth/%zz', 400],
  ['/api/home%zz', 400],
  ['/%zz', 400],
  ['http://localhost/api/home/x', 'home /home/x'],
  ['HTTP://LOCALHOST/api/home/x', 'home /home/x'],
  ['http://localhost:1/api/home/x', 'home /home/x'],
  ['http://home:8080/api/home/x', 403, 'home /home/x'],
  ['http://evil.example/api/home/x', 403, 'home /home/x'],
  ['http://localhost/home/x', 404],
  ['http://home:8080/home/x', 403, 404],
  ['http://home:8081/health/ready', 403, 404],
  ['http://localhost/api/auth/../home/x', 'home /home/x'],
  ['http://localhost/api/home/..%2fauth', 400],
  ['http://localhost@home:8080/api/home/x', 400, 'home /home/x'],
  ['http://user:password@localhost/api/home/x', 400, 'home /home/x'],
  ['http:///api/home/x', 400, 404],
  ['http://localhost\\@home/api/home/x', 400],
  ['https://localhost/api/home/x', 400, 'home /home/x', 403],
  ['ftp://localhost/api/home/x', 400, 404],
  ['file:///api/home/x', 400, 404],
  ['api/home/x', 400, 404],
  ['?/api/home/x', 400, 404],
  ['*', 400, 404],
  ['localhost:80', 400, 404],
]

/** Paths that a gateway and a service could interpret differently. */
export function pathAttacks(gateway: () => TestGateway): void {
  test.each(TARGETS.map(([target, ...ends]) => [target, ends] as const))(
    'the target %j leads where it may, and needs a token for it',
    async (target, ends) => {
      const { port, credentials, upstream } = gateway()
      const end = async (fields: string[]): Promise<End> => {
        const { status } = await get(port, target, fields)
        const [received] = upstream.take()
        return received === undefined ? (status as End) : `${received.service} ${received.url}`
      }
      const invited = await end([`Authorization: Bearer ${tokenOf(credentials[0])}`])
      expect(ends).toContain(invited)
      const withoutToken = await end([])
      const isOpen = typeof invited === 'number' || invited.startsWith('auth ')
      expect(withoutToken).toBe(isOpen ? invited : 401)
    },
  )

  test('a malformed escape gets 400 as JSON', async () => {
    const answer = await get(gateway().port, '/api/home/%zz')
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([
      400,
      'application/json',
      '{"message": "Bad Request"}',
    ])
  })

  test('the query of a request reaches the service unchanged', async () => {
    const { port, credentials, upstream } = gateway()
    const query = '?a=1&a=2&b=%41%2F..%2f&c=+&d&=e&%00=%'
    await get(port, `/api/home/x${query}`, [`Authorization: Bearer ${tokenOf(credentials[0])}`])
    expect(upstream.take().map(({ url }) => url)).toEqual([`/home/x${query}`])
  })

  test('a Host header does not select another service', async () => {
    const { port, credentials, upstream } = gateway()
    const token = `Authorization: Bearer ${tokenOf(credentials[0])}`
    for (const host of ['home:8081', '127.0.0.1:9901', 'localhost/api/auth', 'auth', '']) {
      await get(port, '/api/home/x', [`Host: ${host}`, token])
      for (const { service } of upstream.take()) expect(service).toBe('home')
    }
    const two = await get(port, '/api/home/x', ['Host: localhost', 'Host: home', token])
    expect([two.status, upstream.take()]).toEqual([400, []])
  })

  test.each(['CONNECT home:8080', 'CONNECT localhost:22', 'CONNECT /api/home/x'])(
    '%s leads nowhere',
    async (line) => {
      const { port, credentials, upstream } = gateway()
      const answer = await request(port, `${line} HTTP/1.1`, [
        `Authorization: Bearer ${tokenOf(credentials[0])}`,
      ])
      expect(answer.status).not.toBe(200)
      expect(upstream.take()).toEqual([])
    },
  )

  test.each(['websocket', 'h2c', 'TLS/1.0'])('an upgrade to %s opens no tunnel', async (protocol) => {
    const { port, credentials, upstream } = gateway()
    const answer = await get(port, '/api/home/x', [
      `Authorization: Bearer ${tokenOf(credentials[0])}`,
      `Upgrade: ${protocol}`,
      'Connection: Upgrade, HTTP2-Settings',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ])
    expect(answer.status).not.toBe(101)
    for (const { fields } of upstream.take())
      expect(fields.map(([name]) => name.toLowerCase())).not.toContain('upgrade')
  })
}
