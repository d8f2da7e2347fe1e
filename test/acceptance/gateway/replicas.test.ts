import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { platformOf } from '../../emit/platform.ts'
import { type EnvoyProcess, startEnvoy } from '../../gateway/envoy-process.ts'
import { startLoad } from '../../gateway/load.ts'
import { get, request } from '../../gateway/raw.ts'
import { serviceProcesses } from '../../gateway/services.ts'

const CLIENTS = 16
const PLATFORM = platformOf('Replicated: project {}\nHome: service { name: string(80); #enumerable; }')
const LOAD = [
  { method: 'POST', path: '/api/home', body: '{"name": "a"}', status: 201 },
  { method: 'GET', path: '/api/home/all?limit=2', status: 200 },
] as const

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function envoyBefore(ports: readonly number[]): Promise<EnvoyProcess> {
  const envoy = await startEnvoy(PLATFORM, { services: { home: ports } })
  stops.push(envoy.stop)
  return envoy
}

/** A service that counts the requests that reach it. */
async function counting(
  answer: (server: Server) => void,
): Promise<{ port: number; urls: string[]; server: Server }> {
  const urls: string[] = []
  const server = createServer((incoming) => urls.push(incoming.url ?? ''))
  answer(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, urls, server }
}

const sound = (server: Server): unknown => server.on('request', (_, response) => response.end('{}'))

test('an unreachable replica fails no request, and writes arrive once', async () => {
  const gone = await counting(() => {})
  gone.server.close()
  const one = await counting(sound)
  const envoy = await envoyBefore([gone.port, one.port])
  for (let at = 0; at < 40; at++) {
    const answer = await request(envoy.port, `POST /api/home/${at} HTTP/1.1`, ['Content-Length: 0'])
    expect(answer.status).toBe(200)
  }
  expect(one.urls.toSorted()).toEqual(Array.from({ length: 40 }, (_, at) => `/home/${at}`).toSorted())
})

test('a write whose connection breaks is 503 and is not repeated', async () => {
  const breaking = (server: Server): unknown => server.on('request', ({ socket }) => socket.destroy())
  const replicas = await Promise.all([counting(breaking), counting(breaking)])
  const envoy = await envoyBefore(replicas.map(({ port }) => port))
  for (let at = 0; at < 10; at++) {
    const answer = await request(envoy.port, `POST /api/home/${at} HTTP/1.1`, ['Content-Length: 0'])
    expect([answer.status, answer.body]).toEqual([503, '{"message": "Service Unavailable"}'])
  }
  const urls = replicas.flatMap((replica) => replica.urls)
  expect(urls.toSorted()).toEqual(Array.from({ length: 10 }, (_, at) => `/home/${at}`).toSorted())
})

test('a service responds as soon as its only replica is back', async () => {
  const { server, port } = await counting(sound)
  const envoy = await envoyBefore([port])
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  for (let at = 0; at < 15; at++) expect((await get(envoy.port, '/api/home')).status).toBe(503)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  expect((await get(envoy.port, '/api/home')).status).toBe(200)
})

test('responses with 5xx do not eject a service', async () => {
  const { port } = await counting((server) =>
    server.on('request', (incoming, response) => {
      response.statusCode = incoming.url === '/home/fails' ? 500 : 200
      response.end('{}')
    }),
  )
  const envoy = await envoyBefore([port])
  for (let at = 0; at < 30; at++) expect((await get(envoy.port, '/api/home/fails')).status).toBe(500)
  expect((await get(envoy.port, '/api/home/works')).status).toBe(200)
})

test('replicas replaced one after the other under load: no request fails', async () => {
  const services = await serviceProcesses(PLATFORM)
  stops.push(services.stop)
  const replicas = [await services.start('home'), await services.start('home')]
  const envoy = await envoyBefore(replicas.map(({ port }) => port))
  const load = startLoad(envoy.port, CLIENTS, LOAD, {})
  await sleep(500)
  for (const replica of replicas) {
    replica.process.signal('SIGTERM')
    expect(await replica.process.ended).toBe(0)
    await services.start('home', replica.port)
    const before = load.answered()
    await expect.poll(load.answered).toBeGreaterThan(before + CLIENTS * 10)
  }
  const { answered, failures } = await load.end()
  expect(failures).toEqual([])
  expect(answered).toBeGreaterThan(500)
})

test('a replica killed under load fails at most its current requests', async () => {
  const services = await serviceProcesses(PLATFORM)
  stops.push(services.stop)
  const replicas = [await services.start('home'), await services.start('home')]
  const envoy = await envoyBefore(replicas.map(({ port }) => port))
  const load = startLoad(envoy.port, CLIENTS, LOAD, {})
  await sleep(500)
  replicas[0]?.process.signal('SIGKILL')
  await replicas[0]?.process.ended
  const before = load.answered()
  await expect.poll(load.answered).toBeGreaterThan(before + CLIENTS * 20)
  const { failures } = await load.end()
  // Each client has one request under way, and may meet another connection whose end was not noticed yet.
  expect(failures.length).toBeLessThanOrEqual(CLIENTS * 2)
  for (const failure of failures) expect(failure).toMatch(/503 \{"message": "Service Unavailable"\}/)
})

test('the gateway closes idle connections to services', async () => {
  const closed = new Promise<'gateway' | 'service'>((resolve) => {
    void counting((server) => {
      server.keepAliveTimeout = 20_000
      server.on('request', (_, response) => response.end('{}'))
      server.on('connection', (socket) => {
        socket.once('end', () => resolve('gateway'))
        socket.once('close', () => resolve('service'))
      })
    }).then(async ({ port }) => get((await envoyBefore([port])).port, '/api/home'))
  })
  const began = performance.now()
  expect(await closed).toBe('gateway')
  // A stopping service waits two seconds.
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('without authentication the gateway has no filter for tokens', async () => {
  const { port } = await counting(sound)
  const envoy = await envoyBefore([port])
  const token = `Authorization: Bearer ${randomBytes(8).toString('hex')}`
  expect((await get(envoy.port, '/api/home', [token])).status).toBe(200)
})
