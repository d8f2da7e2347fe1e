import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Credential } from './gateway.ts'
import { get, request } from './raw.ts'
import { tokenOf } from './tokens.ts'

/** A gateway that allows web pages of some origins, in front of a service `home`. */
interface CorsGateway {
  readonly port: number
  readonly credential: Credential
  readonly stop: () => Promise<void>
}

const ORIGIN = 'https://app.example.com'
const PREFLIGHT = [
  `Origin: ${ORIGIN}`,
  'Access-Control-Request-Method: PUT',
  'Access-Control-Request-Headers: authorization',
]

/** Registers the tests of CORS that every gateway must pass. */
export function corsTests(start: (origins: readonly string[]) => Promise<CorsGateway>): void {
  let gateway: CorsGateway
  beforeAll(async () => {
    gateway = await start([ORIGIN, 'http://localhost:5173'])
  })
  afterAll(() => gateway.stop())

  test('a preflight request of an allowed origin is answered without a token', async () => {
    for (const path of ['/api/home/x', '/api/auth/login']) {
      const { status, headers } = await request(gateway.port, `OPTIONS ${path} HTTP/1.1`, PREFLIGHT)
      expect([status, headers['access-control-allow-origin']], path).toEqual([200, ORIGIN])
      expect(headers['access-control-allow-methods']).toMatch(/\bPUT\b.*\bPATCH\b.*\bDELETE\b/)
      // Routes of your own can take any header.
      expect(headers['access-control-allow-headers']).toBe('authorization, *')
      expect(headers['access-control-max-age']).toBe('600')
    }
  })

  test('the response to an allowed origin can be read, also one of the gateway', async () => {
    const token = `Authorization: Bearer ${tokenOf(gateway.credential)}`
    for (const [fields, expected] of [
      [[token], 200],
      [[], 401],
    ] as const) {
      const { status, headers } = await get(gateway.port, '/api/home/x', [`Origin: ${ORIGIN}`, ...fields])
      expect([status, headers['access-control-allow-origin']]).toEqual([expected, ORIGIN])
      expect(headers['access-control-expose-headers']).toBe('*')
    }
  })

  test('another origin gets no headers', async () => {
    for (const origin of [
      'https://evil.example.com',
      'https://app.example.com.evil.com',
      'http://app.example.com',
      'null',
    ]) {
      const fields = [`Origin: ${origin}`, `Authorization: Bearer ${tokenOf(gateway.credential)}`]
      const read = await get(gateway.port, '/api/home/x', fields)
      const preflight = await request(gateway.port, 'OPTIONS /api/home/x HTTP/1.1', [
        `Origin: ${origin}`,
        ...PREFLIGHT.slice(1),
      ])
      expect(preflight.status).not.toBe(200)
      for (const { headers } of [read, preflight])
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
}
