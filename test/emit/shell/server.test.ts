import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../../templates/typescript/src/log.ts'
import { type Bindings, listen, type RunningServer } from '../../../templates/typescript/src/server.ts'

const TIMEOUT = 5000
const IDLE_GRACE = 500
let server: RunningServer | undefined
let lines: string[] = []

afterEach(async () => {
  await server?.stop(0)
  server = undefined
})

async function serve(app: Hono<{ Bindings: Bindings }>): Promise<string> {
  lines = []
  const log = createLog('test', 'debug', (text) =>
    lines.push(...text.split('\n').filter((line) => line !== '')),
  )
  const fetch = (request: Request, bindings: Bindings) => app.fetch(request, bindings)
  server = await listen({ host: '127.0.0.1', port: 0, fetch, log, logRequests: true, idleGrace: IDLE_GRACE })
  return `http://127.0.0.1:${server.port}`
}

function logged(): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
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

test('one line a request, with its id and without the query', async () => {
  const app = new Hono<{ Bindings: Bindings }>()
  app.get('/home/:id', (c) => c.json({ requestId: c.env.requestId }))
  const url = await serve(app)
  const given = await fetch(`${url}/home/1?after=secret`, { headers: { 'x-request-id': 'abc.DEF_1-2' } })
  expect(await given.json()).toEqual({ requestId: 'abc.DEF_1-2' })
  for (const id of ['', 'a b', 'x'.repeat(129), 'ä']) {
    const response = await fetch(`${url}/home/1`, { headers: { 'x-request-id': id } })
    expect(await response.json()).toEqual({ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  }
  await expect.poll(() => logged().length).toBe(5)
  expect(logged()[0]).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    level: 'info',
    message: 'request',
    service: 'test',
    requestId: 'abc.DEF_1-2',
    method: 'GET',
    path: '/home/1',
    status: 200,
    durationMs: expect.any(Number),
  })
})

test('what is no HTTP gets 400, and the server goes on', async () => {
  const app = new Hono<{ Bindings: Bindings }>()
  app.get('/', (c) => c.text('fine'))
  const url = await serve(app)
  const close = 'Connection: close\r\n\r\n'
  expect(await exchange(url, 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, '\0\u0001\u0002\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, `GET / HTTP/1.1\r\nHost: a b\r\n${close}`)).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, `GET / HTTP/1.1\r\n${close}`)).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, `GET /\\.. HTTP/1.1\r\nHost: a\r\n${close}`)).toMatch(/^HTTP\/1.1 400 /)
  expect(await exchange(url, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n${close}`)).toMatch(
    / 431 /,
  )
  const both = 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'
  expect(await exchange(url, `POST / HTTP/1.1\r\nHost: a\r\n${both}${close}`)).toMatch(/^HTTP\/1.1 400 /)
  expect(await (await fetch(url)).text()).toBe('fine')
  expect(logged().filter(({ level }) => level !== 'info')).toEqual([])
})

test('a duplicated Authorization header reaches the service as one that no token matches', async () => {
  const app = new Hono<{ Bindings: Bindings }>()
  app.get('/', (c) => c.text(c.req.header('authorization') ?? ''))
  const url = await serve(app)
  const headers = 'Authorization: Bearer a.b.c\r\nauthorization: Bearer d.e.f\r\nConnection: close\r\n'
  expect(await exchange(url, `GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)).toMatch(
    /Bearer a.b.c, Bearer d.e.f/,
  )
})

test('stopping answers what was accepted, a request on its way included, and takes nothing new', async () => {
  const waiting: (() => void)[] = []
  const app = new Hono<{ Bindings: Bindings }>()
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

  const stopped = server?.stop(TIMEOUT)
  // On the connection that was idle when the server was told to stop, and still is a while later.
  await new Promise((resolve) => {
    setTimeout(resolve, IDLE_GRACE / 2)
  })
  expect(await get('/fast', idle)).toEqual({ text: 'fast', connection: 'close' })
  await expect(get('/fast', new Agent())).rejects.toThrow(/ECONNREFUSED/)
  waiting[0]?.()
  expect(await slow).toEqual({ text: 'slow', connection: 'close' })
  await stopped
})

test('a request that never ends is cut off after the time given', async () => {
  const app = new Hono<{ Bindings: Bindings }>()
  app.get('/', () => new Promise<Response>(() => {}))
  const url = await serve(app)
  const answer = fetch(url).catch((error: unknown) => String(error))
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  await server?.stop(100)
  expect(await answer).toMatch(/fetch failed/)
  await expect.poll(() => logged()).toMatchObject([{ message: 'request', aborted: true }])
})
