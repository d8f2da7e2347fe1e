import { expect, test } from 'vitest'
import type { TestGateway } from './gateway.ts'
import { type Answer, get, request } from './raw.ts'
import { forgedTokens, tokenOf } from './tokens.ts'

/** Names of forged tokens, which depend on the gateway's credential. */
const FORGED = Object.keys(
  forgedTokens({ id: 'auth-service-1', secret: 'x' }, { id: 'auth-service-2', secret: 'y' }),
)

/** Header fields and queries in which a token is ignored, by description. */
const ELSEWHERE: Readonly<Record<string, (token: string) => { query?: string; fields?: string[] }>> = {
  'nowhere at all': () => ({}),
  'in the query as access_token': (token) => ({ query: `?access_token=${token}` }),
  'in the query as token': (token) => ({ query: `?token=${token}` }),
  'in the query as jwt': (token) => ({ query: `?jwt=${token}` }),
  'in the query as authorization': (token) => ({ query: `?authorization=Bearer%20${token}` }),
  'in cookies': (token) => ({
    fields: [`Cookie: access_token=${token}; token=${token}; jwt=${token}; Authorization=Bearer ${token}`],
  }),
  'in X-Authorization': (token) => ({ fields: [`X-Authorization: Bearer ${token}`] }),
  'in Proxy-Authorization': (token) => ({ fields: [`Proxy-Authorization: Bearer ${token}`] }),
  'in X-Forwarded-Authorization': (token) => ({ fields: [`X-Forwarded-Authorization: Bearer ${token}`] }),
  'twice in the header': (token) => ({
    fields: [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`],
  }),
  'in the header, and another one after it': (token) => ({
    fields: [`Authorization: Bearer ${token}`, 'Authorization: Bearer x'],
  }),
  'in the header, and another one before it': (token) => ({
    fields: ['authorization: Bearer x', `Authorization: Bearer ${token}`],
  }),
  'twice in one header': (token) => ({ fields: [`Authorization: Bearer ${token}, Bearer ${token}`] }),
  'with more text after it': (token) => ({ fields: [`Authorization: Bearer ${token} x`] }),
  'with something before the scheme': (token) => ({ fields: [`Authorization: x Bearer ${token}`] }),
  'after a comma': (token) => ({ fields: [`Authorization: Basic eDp4, Bearer ${token}`] }),
  'without a scheme': (token) => ({ fields: [`Authorization: ${token}`] }),
  'with another scheme': (token) => ({ fields: [`Authorization: Basic ${token}`] }),
  'with the scheme and no space': (token) => ({ fields: [`Authorization: Bearer${token}`] }),
  'with padding': (token) => ({ fields: [`Authorization: Bearer ${token}=`] }),
  'in quotes': (token) => ({ fields: [`Authorization: Bearer "${token}"`] }),
  'in a header with an underscore': (token) => ({ fields: [`Authorization_: Bearer ${token}`] }),
}

/** Requests without a valid token. */
export function tokenAttacks(gateway: () => TestGateway): void {
  test.each(Object.keys(ELSEWHERE))('a token %s is ignored', async (where) => {
    const { port, credentials, upstream } = gateway()
    const { query = '', fields = [] } = ELSEWHERE[where]?.(tokenOf(credentials[0])) ?? {}
    const answer = await get(port, `/api/home/x${query}`, fields)
    expectUnauthorized(answer)
    expect(upstream.take()).toEqual([])
  })

  test.each(FORGED)('a token with %s is rejected', async (what) => {
    const { port, credentials, upstream } = gateway()
    const token = forgedTokens(...credentials)[what] ?? ''
    expectUnauthorized(await get(port, '/api/home/x', [`Authorization: Bearer ${token}`]))
    expect(upstream.take()).toEqual([])
  })

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'get'])(
    'the method %s needs a token',
    async (method) => {
      const { port, upstream } = gateway()
      const answer = await request(port, `${method} /api/home/x HTTP/1.1`, ['Content-Length: 0'])
      expect([400, 401, 405]).toContain(answer.status)
      expect(upstream.take()).toEqual([])
    },
  )

  test.each(['Bearer', 'bearer'])('the scheme may be written %s', async (scheme) => {
    const { port, credentials, upstream } = gateway()
    const answer = await get(port, '/api/home/x', [`Authorization: ${scheme} ${tokenOf(credentials[0])}`])
    expect([answer.status, upstream.take().length]).toEqual([200, 1])
  })

  test('a rejection reveals neither its reason nor the request', async () => {
    const { port } = gateway()
    const answer = await get(port, '/api/home/some-path?secret=some-query', [
      'Authorization: Bearer some-token',
    ])
    expectUnauthorized(answer)
    expect(JSON.stringify(answer)).not.toMatch(/some-|realm|error|issuer|jwt|envoy/i)
  })

  test('the authentication service accepts requests without a token or with a forged one', async () => {
    const { port, upstream } = gateway()
    for (const fields of [[], ['Authorization: Bearer garbage']])
      expect((await get(port, '/api/auth/login', fields)).status).toBe(200)
    expect(upstream.take().map(({ service, url }) => [service, url])).toEqual([
      ['auth', '/auth/login'],
      ['auth', '/auth/login'],
    ])
  })

  test('an unknown path is 404, with and without a token', async () => {
    const { port, credentials } = gateway()
    for (const fields of [[], [`Authorization: Bearer ${tokenOf(credentials[0])}`]])
      for (const path of [
        '/',
        '/api',
        '/api/',
        '/api/nothing',
        '/home/x',
        '/health/ready',
        '/api/references',
      ]) {
        const answer = await get(port, path, fields)
        expect([answer.status, answer.body]).toEqual([404, '{"message": "Not Found"}'])
        expect(answer.headers['content-type']).toBe('application/json')
      }
  })

  test('a service that is down is 503 with a valid token', async () => {
    const { port, credentials } = gateway()
    expectUnauthorized(await get(port, '/api/down/x'))
    const answer = await get(port, '/api/down/x', [`Authorization: Bearer ${tokenOf(credentials[0])}`])
    expect([answer.status, answer.body]).toEqual([503, '{"message": "Service Unavailable"}'])
    expect(answer.headers['retry-after']).toBe('1')
  })
}

/** Requests to the public endpoint, which all services take. */
export function publicEndpointTests(gateway: () => TestGateway): void {
  test('only requests to a public endpoint need no token', async () => {
    const { port, upstream } = gateway()
    for (const fields of [[], ['Authorization: Bearer garbage']])
      expect((await get(port, '/api/home/x/quote?a=1', fields)).status).toBe(200)
    expect((await request(port, 'HEAD /api/home/x%20y/quote HTTP/1.1')).status).toBe(200)
    expect(upstream.take().map(({ service, url }) => [service, url])).toEqual([
      ['home', '/home/x/quote?a=1'],
      ['home', '/home/x/quote?a=1'],
      ['home', '/home/x%20y/quote'],
    ])
    for (const path of ['/x', '/x/quotes', '/x/quote/1', '/x/y/quote', '/quote', '-owner/x/quote'])
      expectUnauthorized(await get(port, `/api/home${path}`))
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(
        (await request(port, `${method} /api/home/x/quote HTTP/1.1`, ['Content-Length: 0'])).status,
      ).toBe(401)
    expect(upstream.take()).toEqual([])
  })
}

function expectUnauthorized(answer: Answer): void {
  expect([answer.status, answer.body]).toEqual([401, '{"message": "Unauthorized"}'])
  expect(answer.headers['www-authenticate']).toBe('Bearer')
  expect(answer.headers['content-type']).toBe('application/json')
}
