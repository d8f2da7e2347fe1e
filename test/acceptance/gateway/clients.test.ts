import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { slots } from '../../gateway/dev-gateway.ts'
import { type EnvoyProcess, configured, startEnvoy } from '../../gateway/envoy-process.ts'
import { ATTACKED, RUNNING } from '../../gateway/gateway.ts'
import { corsTests } from '../../gateway/cors.ts'
import { get, request, send } from '../../gateway/raw.ts'
import { startUpstream, type Upstream } from '../../gateway/upstream.ts'

const credentials = slots()
let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream(RUNNING)
})
afterAll(() => upstream.stop())

async function envoyWith(env: Readonly<Record<string, string>>): Promise<EnvoyProcess> {
  return startEnvoy(ATTACKED, {
    services: Object.fromEntries(Object.entries(upstream.ports).map(([name, port]) => [name, [port]])),
    secrets: [credentials[0].secret, credentials[1].secret],
    env,
  })
}

const LOGIN = 'POST /api/auth/login HTTP/1.1'
const EMPTY = ['Content-Length: 0']

describe('CORS', () => {
  corsTests(async (origins) => {
    const envoy = await envoyWith({ CORS_ORIGINS: origins.join(', '), AUTH_RATE_LIMIT: '0' })
    return { port: envoy.port, credential: credentials[0], stop: envoy.stop }
  })
})

describe('the limit of the authentication service', () => {
  test('by default is a burst of 100 requests, whose rest gets 429', async () => {
    const envoy = await envoyWith({})
    onTestFinished(envoy.stop)
    const begun = performance.now()
    // All paths share it, those of the user's own routes too, with a token or without.
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => [
        request(envoy.port, LOGIN, EMPTY),
        request(envoy.port, 'POST /api/auth/register HTTP/1.1', EMPTY),
        request(envoy.port, 'POST /api/auth/own HTTP/1.1', EMPTY),
        request(envoy.port, 'POST /api/auth/own HTTP/1.1', [...EMPTY, 'Authorization: Bearer a.b.c']),
      ]).flat(),
    )
    const passed = answers.filter(({ status }) => status === 200)
    const refused = answers.find(({ status }) => status === 429)
    const refilled = Math.ceil((performance.now() - begun) / 1000) * 10
    expect(passed.length).toBeGreaterThanOrEqual(100)
    expect(passed.length).toBeLessThanOrEqual(100 + refilled)
    expect([refused?.headers['retry-after'], refused?.headers['content-type'], refused?.body]).toEqual([
      '1',
      'application/json',
      '{"message": "Too Many Requests"}',
    ])
  })

  test('counts each client of a trusted proxy', async () => {
    const envoy = await envoyWith({ AUTH_RATE_LIMIT: '1', TRUSTED_PROXIES: '1' })
    onTestFinished(envoy.stop)
    const login = (forwarded: string) =>
      request(envoy.port, LOGIN, [...EMPTY, `X-Forwarded-For: ${forwarded}`]).then(({ status }) => status)
    const statuses = async (count: number, forwarded: string) =>
      Promise.all(Array.from({ length: count }, () => login(forwarded)))
    expect(await statuses(15, '192.0.2.1')).toContain(429)
    expect(await statuses(5, '192.0.2.2')).not.toContain(429)
    // Only what the proxy adds counts, not what its client sends.
    expect(await statuses(15, '198.51.100.7, 192.0.2.1')).toContain(429)
  })

  test('without a trusted proxy, X-Forwarded-For changes nothing', async () => {
    const envoy = await envoyWith({ AUTH_RATE_LIMIT: '1' })
    onTestFinished(envoy.stop)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        request(envoy.port, LOGIN, [...EMPTY, `X-Forwarded-For: 192.0.2.${at}`]).then(({ status }) => status),
      ),
    )
    expect(statuses).toContain(429)
  })

  test('0 removes it', async () => {
    const envoy = await envoyWith({ AUTH_RATE_LIMIT: '0' })
    onTestFinished(envoy.stop)
    const answers = await Promise.all(Array.from({ length: 150 }, () => request(envoy.port, LOGIN, EMPTY)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  })
})

test('a trusted proxy names the client, and other forwarding headers are still removed', async () => {
  const envoy = await envoyWith({ TRUSTED_PROXIES: '1' })
  onTestFinished(envoy.stop)
  upstream.take()
  await get(envoy.port, '/api/auth/x', [
    'X-Forwarded-For: 192.0.2.1',
    'X-Forwarded-Host: evil',
    'X-Forwarded: evil',
  ])
  const fields = new Map(upstream.take()[0]?.fields.map(([name, value]) => [name.toLowerCase(), value]))
  expect(fields.get('x-forwarded-for')).toMatch(/^192\.0\.2\.1, ?[\d.]+$/)
  expect([fields.get('x-forwarded-host'), fields.get('x-forwarded')]).toEqual([undefined, undefined])
  await expect.poll(() => envoy.requests().at(-1)?.['client']).toBe('192.0.2.1')
})

test('a body larger than what can be sent again is 503 while the service restarts', async () => {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  const envoy = await startEnvoy(ATTACKED, {
    services: { auth: [port] },
    secrets: [credentials[0].secret, credentials[1].secret],
  })
  onTestFinished(envoy.stop)
  for (const length of [0, 1000, 100_000, 2_000_000]) {
    const head = `${LOGIN}\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`
    const text = await send(envoy.port, head + 'x'.repeat(length), (received) => received.includes('"}'))
    expect(text, String(length)).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    expect(text).toContain('content-type: application/json')
    expect(text).toContain('\r\n\r\n{"message": "Service Unavailable"}')
  }
})

test.each([
  [{ AUTH_RATE_LIMIT: 'ten' }, 'AUTH_RATE_LIMIT must be a whole number from 0 to 999999, not ten'],
  [{ GATEWAY_THREADS: '2.5' }, 'GATEWAY_THREADS must be a whole number from 0 to 999999, not 2.5'],
  [{ TRUSTED_PROXIES: '-1' }, 'TRUSTED_PROXIES must be a whole number from 0 to 999999, not -1'],
  [
    { CORS_ORIGINS: "https://a'b" },
    "CORS_ORIGINS must list origins such as https://example.com, not https://a'b",
  ],
  [
    { CORS_ORIGINS: 'https://a.b/' },
    'CORS_ORIGINS must list origins such as https://example.com, not https://a.b/',
  ],
])('the gateway does not start with %o', (env, message) => {
  expect(() => configured('', env)).toThrow(`gateway: ${message}`)
})
