import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { slots } from '../../gateway/dev-gateway.ts'
import { type EnvoyProcess, startEnvoy } from '../../gateway/envoy-process.ts'
import { ATTACKED, RUNNING } from '../../gateway/gateway.ts'
import { get, request } from '../../gateway/raw.ts'
import { tokenOf } from '../../gateway/tokens.ts'
import { startUpstream, type Upstream } from '../../gateway/upstream.ts'

const OPENAPI = `{"openapi": "3.1.0", "x": "${'x'.repeat(100_000)}"}\n`
const credentials = slots()
let upstream: Upstream
let envoy: EnvoyProcess

function options(): Parameters<typeof startEnvoy>[1] {
  return {
    services: Object.fromEntries(Object.entries(upstream.ports).map(([name, port]) => [name, [port]])),
    secrets: [credentials[0].secret, credentials[1].secret],
    openApi: OPENAPI,
  }
}

beforeAll(async () => {
  upstream = await startUpstream(RUNNING)
  envoy = await startEnvoy(ATTACKED, options())
})

afterAll(async () => {
  await envoy.stop()
  await upstream.stop()
})

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('the access log has a line of JSON a request, under the id that the service got', async () => {
  const token = tokenOf(credentials[0])
  upstream.take()
  await get(envoy.port, '/api/home/logged?secret=in-the-query', [
    `Authorization: Bearer ${token}`,
    'Cookie: secret=in-a-cookie',
    `traceparent: ${TRACEPARENT}`,
  ])
  const [received] = upstream.take()
  const id = received?.fields.find(([name]) => name === 'x-request-id')?.[1]
  expect(received?.fields).toContainEqual(['traceparent', TRACEPARENT])
  await expect
    .poll(() => envoy.requests().find(({ requestId }) => requestId === id))
    .toMatchObject({
      level: 'info',
      message: 'request',
      service: 'gateway',
      traceparent: TRACEPARENT,
      method: 'GET',
      path: '/api/home/logged',
      status: 200,
      upstream: 'home',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
})

test('a response of the gateway itself has the id of its line in the access log', async () => {
  const { status, headers } = await get(envoy.port, '/api/home/unauthorized')
  expect(status).toBe(401)
  await expect
    .poll(() => envoy.requests().find(({ path }) => path === '/api/home/unauthorized'))
    .toMatchObject({ requestId: headers['x-request-id'], status: 401 })
})

test('its output contains no secrets', async () => {
  const token = tokenOf(credentials[0])
  for (const path of [
    '/api/home/x',
    '/api/nothing',
    '/api/home/..%2f',
    '/api/openapi.json',
    '/api/auth/login',
  ])
    for (const authorization of [token, `${token}x`, 'garbage-of-a-client'])
      await get(envoy.port, `${path}?secret=in-the-query`, [
        `Authorization: Bearer ${authorization}`,
        'Cookie: secret=in-a-cookie',
        'Referer: http://in-a-referer/',
      ])
  await expect.poll(() => envoy.requests().length).toBeGreaterThanOrEqual(15)
  const output = envoy.output()
  for (const secret of [
    token.slice(0, 30),
    credentials[0].secret,
    credentials[1].secret,
    'garbage-of',
    'in-',
  ])
    expect(output).not.toContain(secret)
})

test('it starts without a warning, a limit on connections being missing among them', () => {
  expect(
    envoy
      .output()
      .split('\n')
      .filter((line) => /"level":"(?:warning|error|critical)"/.test(line)),
  ).toEqual([])
})

test('the OpenAPI document is served to everyone, read-only', async () => {
  const read = await get(envoy.port, '/api/openapi.json')
  expect([read.status, read.headers['content-type'], read.body]).toEqual([200, 'application/json', OPENAPI])
  const head = await request(envoy.port, 'HEAD /api/openapi.json HTTP/1.1')
  expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(OPENAPI.length), ''])
  for (const method of ['POST', 'DELETE', 'OPTIONS']) {
    const other = await request(envoy.port, `${method} /api/openapi.json HTTP/1.1`, ['Content-Length: 0'])
    expect([other.status, other.headers['allow']]).toEqual([405, 'GET, HEAD'])
  }
  expect((await get(envoy.port, '/api/openapi.json/x')).status).toBe(404)
})

test('a deployment can turn off the OpenAPI document', async () => {
  const without = await startEnvoy(ATTACKED, { ...options(), env: { GATEWAY_OPENAPI: '0' } })
  try {
    for (const method of ['GET', 'POST']) {
      const answer = await request(without.port, `${method} /api/openapi.json HTTP/1.1`, [
        'Content-Length: 0',
      ])
      expect([answer.status, answer.body]).toEqual([404, '{"message": "Not Found"}'])
    }
  } finally {
    await without.stop()
  }
})

test('it does not start without the file of secrets', async () => {
  const { secrets: _, ...rest } = options()
  await expect(startEnvoy(ATTACKED, rest)).rejects.toThrow(/tokens\.json.*does not exist/)
})

test('an invalid file of secrets is ignored', async () => {
  const token = `Authorization: Bearer ${tokenOf(credentials[0])}`
  const status = async (...fields: string[]) => (await get(envoy.port, '/api/home/x', fields)).status
  await envoy.rotate('', credentials[1].secret)
  await expect.poll(envoy.output).toContain('update rejected')
  expect([await status(token), await status()]).toEqual([200, 401])
  await envoy.rotate(credentials[0].secret, credentials[1].secret)
})

test('its admin interface listens only on loopback and is not reachable through the API', async () => {
  const listening = await new Promise<string>((resolve) => {
    const child = spawn('cat', [`/proc/${envoy.pid}/net/tcp`])
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.once('close', () => resolve(text))
  })
  const port = envoy.adminPort.toString(16).toUpperCase().padStart(4, '0')
  expect(listening).toContain(`0100007F:${port} `)
  expect(listening).not.toContain(`00000000:${port} `)
  for (const path of ['/ready', '/api/ready', '/api/auth/../../ready', '/config_dump', '/quitquitquit'])
    expect((await get(envoy.port, path)).status).toBe(404)
})
