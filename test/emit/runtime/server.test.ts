import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { readConfig, baseConfig } from '../../../templates/typescript/lib/config.ts'
import { createLog } from '../../../templates/typescript/lib/log.ts'
import { listen } from '../../../templates/typescript/lib/server.ts'

const TIMEOUT = 5000
const DRAIN_MS = 1000
let server: Awaited<ReturnType<typeof listen>> | undefined

afterEach(async () => {
  await server?.stop()
  server = undefined
})

async function serve(app: Hono, env: Record<string, string> = {}): Promise<string> {
  const config = readConfig(baseConfig, {
    HOST: '127.0.0.1',
    DATABASE_URL: 'postgres://unused/unused',
    MAX_BODY_BYTES: '1000',
    DRAIN_MS: String(DRAIN_MS),
    SHUTDOWN_TIMEOUT_MS: String(TIMEOUT),
    ...env,
  })
  server = await listen(app.fetch, 0, config, createLog('test', 'silent'))
  return `http://127.0.0.1:${server.port}`
}

/** What comes back for bytes sent to the server. */
function exchange(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (data: Buffer) => (text += data.toString('latin1')))
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}

test('what is not HTTP gets 400, and the server goes on', async () => {
  const app = new Hono()
  app.get('/', (c) => c.text('fine'))
  const url = await serve(app)
  const close = 'Connection: close\r\n\r\n'
  expect(await exchange(url, 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, '\0\u0001\u0002\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, `GET / HTTP/1.1\r\nHost: a b\r\n${close}`)).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, `GET / HTTP/1.1\r\n${close}`)).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, `GET /\\.. HTTP/1.1\r\nHost: a\r\n${close}`)).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n${close}`)).toMatch(
    / 431 /,
  )
  const both = 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'
  expect(await exchange(url, `POST / HTTP/1.1\r\nHost: a\r\n${both}${close}`)).toMatch(/^HTTP\/1.1 400 /)
  expect(await (await fetch(url)).text()).toBe('fine')
})

test('a duplicated Authorization header reaches the service as one that no token matches', async () => {
  const app = new Hono()
  app.get('/', (c) => c.text(c.req.header('authorization') ?? ''))
  const url = await serve(app)
  const headers = 'Authorization: Bearer a.b.c\r\nauthorization: Bearer d.e.f\r\nConnection: close\r\n'
  expect(await exchange(url, `GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)).toMatch(
    /Bearer a.b.c, Bearer d.e.f/,
  )
})

test('the client that waits longest to read loses its connection when responses take too much memory', async () => {
  const size = 50_000_000
  const app = new Hono()
  app.get('/', (c) => c.body('x'.repeat(size)))
  const url = await serve(app, { MAX_UNSENT_BYTES: String(size * 1.5) })
  const pause = async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await once(socket, 'readable')
    // Until the server has seen that it waits.
    await sleep(600)
    return socket
  }
  const first = await pause()
  const second = await pause()
  await sleep(600)
  const received = async (socket: Socket) => {
    const chunks = await socket.toArray().catch(() => [])
    return chunks.reduce((sum: number, chunk: Buffer) => sum + chunk.length, 0)
  }
  expect(await received(first)).toBeLessThan(size)
  expect(await received(second)).toBeGreaterThan(size)
})

test('stopping serves until clients have noticed, then finishes what runs', async () => {
  const waiting: (() => void)[] = []
  const app = new Hono()
  app.get('/fast', (c) => c.text('fast'))
  app.get('/slow', async (c) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
    })
    return c.text('slow')
  })
  const url = await serve(app)
  const idle = new Agent({ keepAlive: true, maxSockets: 1 })
  const get = (path: string, agent: Agent) =>
    new Promise<{ text: string; connection: string | undefined }>((resolve, reject) => {
      httpRequest(`${url}${path}`, { agent }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve({ text, connection: response.headers.connection }))
      })
        .on('error', reject)
        .end()
    })
  expect(await get('/fast', idle)).toEqual({ text: 'fast', connection: 'keep-alive' })
  const slow = get('/slow', new Agent({ keepAlive: true }))
  await expect.poll(() => waiting.length).toBe(1)

  const stopped = server?.stop()
  server = undefined
  // On the connection that was idle when the server was told to stop.
  expect(await get('/fast', idle)).toEqual({ text: 'fast', connection: 'keep-alive' })
  await expect
    .poll(() => get('/fast', new Agent()).catch((error: Error) => error.message), { timeout: TIMEOUT })
    .toMatch(/ECONNREFUSED/)
  expect(await get('/fast', idle)).toEqual({ text: 'fast', connection: 'close' })
  waiting[0]?.()
  expect(await slow).toMatchObject({ text: 'slow' })
  await stopped
})

test('a request that never ends is cut off after the time given', async () => {
  const app = new Hono()
  app.get('/', () => new Promise<Response>(() => {}))
  const url = await serve(app, { DRAIN_MS: '0', SHUTDOWN_TIMEOUT_MS: '100' })
  const answer = fetch(url).catch((error: unknown) => String(error))
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  await server?.stop()
  server = undefined
  expect(await answer).toMatch(/fetch failed/)
})
