import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { SignJWT } from 'jose'
import { Pool } from 'undici'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LoggedRequest, createGateway, type Gateway } from '../../../src/dev/gateway/gateway.ts'
import { type LoopbackServers, listenOnLoopback } from '../../../src/dev/gateway/listen.ts'
import { createTokenVerifier } from '../../../src/dev/gateway/verify-token.ts'
import type { GatewayRoute } from '../../../src/model/routes.ts'

const credential = { id: randomUUID(), secret: randomBytes(32).toString('base64url') }
const ROUTES: GatewayRoute[] = ['auth', 'home', 'home-owner', 'down'].map((directory) => ({
  path: `/api/${directory}`,
  strippedPrefix: '/api',
  directory,
  port: 8080,
  protected: directory !== 'auth',
  publicPaths: [],
  publicRequests: [],
  limited: false,
}))

interface Received {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly rawHeaders: string[]
  readonly body: string
}

let serve: (request: IncomingMessage, response: ServerResponse) => void
let service: Server
let pool: Pool
let gateway: Gateway
let listening: LoopbackServers
let token: string
let answered: LoggedRequest[]
const sockets = new Set<Socket>()

beforeEach(async () => {
  serve = echo
  answered = []
  service = createServer((request, response) => serve(request, response))
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  pool = new Pool(`http://127.0.0.1:${(service.address() as AddressInfo).port}`)
  gateway = createGateway({
    service: (directory) => (directory === 'down' ? undefined : pool),
    onRequest: (request) => answered.push(request),
  })
  gateway.configure({ routes: ROUTES, verifyToken: createTokenVerifier([credential]) })
  const servers = await listenOnLoopback(gateway.createServer, 0)
  if (servers === undefined) throw new Error('No free port')
  listening = servers
  token = await new SignJWT({ id: randomUUID() })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(credential.id)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(Buffer.from(credential.secret, 'base64url'))
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await listening.close()
  await pool.destroy()
  service.closeAllConnections()
  await new Promise((resolve) => service.close(resolve))
})

/** Answers with what arrived. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, url, headers, rawHeaders } = request
    const body = Buffer.concat(chunks).toString('latin1')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, headers, rawHeaders, body }))
  })
}

function call(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) }
  return fetch(`http://localhost:${listening.port}${path}`, { redirect: 'manual', ...init, headers })
}

async function received(path: string, init?: RequestInit): Promise<Received> {
  return (await (await call(path, init)).json()) as Received
}

/** Sends bytes and gives what came back until the connection ended or the text matched. */
function raw(bytes: string | Buffer, until?: RegExp, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(listening.port, host)
    sockets.add(socket)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += String(chunk)
      if (until?.test(text)) {
        socket.destroy()
        resolve(text)
      }
    })
    socket.on('close', () => resolve(text)).on('error', reject)
    socket.write(bytes)
  })
}

function get(target: string, ...headers: string[]): string {
  const lines = [
    `GET ${target} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Connection: close',
  ]
  return [...lines, ...headers, '', ''].join('\r\n')
}

function status(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
}

/** The bodies of what the service echoed, from raw answers. */
function echoes(answer: string): Received[] {
  return [...answer.matchAll(/\{"method":.*?"body":".*?"\}/g)].map(([json]) => JSON.parse(json) as Received)
}

test('without authentication tokens are ignored', async () => {
  gateway.configure({ routes: ROUTES, verifyToken: undefined })
  expect((await call('/api/home', { headers: { authorization: 'Bearer x' } })).status).toBe(200)
})

test('a service that is unreachable is 503', async () => {
  service.closeAllConnections()
  await new Promise((resolve) => service.close(resolve))
  const gone = await call('/api/home', { method: 'POST', body: 'x' })
  expect([gone.status, await gone.json()]).toEqual([503, { message: 'Service Unavailable' }])
})

test('a service that closes the connection before a response is 503', async () => {
  serve = (request) => request.socket.destroy()
  expect((await call('/api/home')).status).toBe(503)
})

test('before the first configuration, every request is 503 with Retry-After, or 403', async () => {
  await listening.close()
  gateway = createGateway({ service: () => pool, pages: () => true })
  const servers = await listenOnLoopback(gateway.createServer, 0)
  if (servers === undefined) throw new Error('No free port')
  listening = servers
  for (const path of ['/api/home', '/api/openapi.json', '/', '/_explorer/platform.json']) {
    const answer = await call(path)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  }
  const foreign = await call('/api/home', { headers: { origin: 'https://evil.example.com' } })
  expect(foreign.status).toBe(403)
  gateway.configure({ routes: ROUTES, verifyToken: undefined })
  expect((await call('/api/home')).status).toBe(200)
})

test('requests wait for a starting service', async () => {
  let wake: (started: Pool | undefined) => void = () => {}
  const starting = new Promise<Pool | undefined>((resolve) => (wake = resolve))
  await listening.close()
  gateway = createGateway({ service: () => starting })
  gateway.configure({ routes: ROUTES, verifyToken: undefined })
  listening = (await listenOnLoopback(gateway.createServer, 0)) ?? listening
  const body = 'x'.repeat(200_000)
  const waiting = [received('/api/home'), received('/api/home', { method: 'POST', body })]
  await new Promise((resolve) => setTimeout(resolve, 100))
  wake(pool)
  expect((await Promise.all(waiting)).map(({ body: text }) => text.length)).toEqual([0, 200_000])
})

test('fields of one connection do not reach the service', async () => {
  const answer = await raw(
    get(
      '/api/home',
      'TE: trailers',
      'Upgrade: websocket',
      'Keep-Alive: timeout=1',
      'Proxy-Connection: x',
      'X-Named: y',
      'X-Kept: z',
    ).replace('Connection: close', 'Connection: close, X-Named, Content-Length, Host'),
  )
  const [{ headers }] = echoes(answer) as [Received]
  expect(Object.keys(headers).sort()).toEqual([
    'authorization',
    'connection',
    'host',
    'x-kept',
    'x-request-id',
  ])
  expect(headers['host']).toBe('localhost')
  expect(headers['connection']).toBe('keep-alive')
})

test('a valid request id is kept, an invalid one replaced', async () => {
  const id = async (...values: string[]) =>
    echoes(await raw(get('/api/home', ...values.map((value) => `X-Request-Id: ${value}`))))[0]?.headers[
      'x-request-id'
    ]
  expect(await id('abc.DEF-1_2')).toBe('abc.DEF-1_2')
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  for (const values of [[], [''], ['a b'], ['<script>'], ['x'.repeat(129)]])
    expect(await id(...values)).toMatch(uuid)
  expect(await id('one', 'two')).toBe('one')
})

test.each([
  ['http://localhost/api/home', 200],
  ['http://127.0.0.1:1/api/home', 200],
  ['http://evil.com/api/home', 403],
])('the target %s gives %i', async (target, expected) => {
  expect(status(await raw(get(target)))).toBe(expected)
})

test('a service receives the path that was routed', async () => {
  const [{ url } = { url: '' }] = echoes(await raw(get('//api/./x/..//home/%7euser/%41?q=../..')))
  expect(url).toBe('/home/~user/A?q=../..')
})

test.each([
  ['Host: localhost', 200],
  ['Host: LOCALHOST:1234', 200],
  ['Host: app.localhost', 200],
  ['Host: 127.0.0.1', 200],
  ['Host: [::1]:80', 200],
  ['Host: evil.com', 403],
  ['Host: localhost.evil.com', 403],
  ['Host: 127.0.0.1.evil.com', 403],
  ['Host: 192.168.0.1', 403],
  ['Host: evil.com:localhost', 403],
  ['Host: 0.0.0.0', 403],
  ['Host:', 403],
  ['Host: localhost\r\nHost: evil.com', 400],
  ['X: no host', 400],
  ['Host: localhost\r\nOrigin: http://localhost:3000', 200],
  ['Host: localhost\r\nOrigin: http://[::1]:3000', 200],
  ['Host: localhost\r\nOrigin: https://evil.com', 403],
  ['Host: localhost\r\nOrigin: http://localhost.evil.com', 403],
  ['Host: localhost\r\nOrigin: null', 403],
  ['Host: localhost\r\nOrigin: file://localhost', 403],
  ['Host: localhost\r\nSec-Fetch-Site: cross-site', 403],
  ['Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate', 200],
  ['Host: localhost\r\nSec-Fetch-Site: same-origin', 200],
])('%j gives %i', async (headers, expected) => {
  expect(status(await raw(get('/api/home').replace('Host: localhost', headers)))).toBe(expected)
})

test.each([
  ['Host: code.example.com', 200],
  ['Host: CODE.example.com:8443\r\nOrigin: https://code.example.com', 200],
  ['Host: code.example.com\r\nOrigin: https://evil.com', 403],
  ['Host: evil.com', 403],
  ['Host:', 403],
])('with an allowed proxy, %j gives %i', async (headers, expected) => {
  vi.stubEnv('PORTICO_ALLOWED_HOSTS', 'proxy.test, code.example.com,')
  expect(status(await raw(get('/api/home').replace('Host: localhost', headers)))).toBe(expected)
  vi.unstubAllEnvs()
})

test('it listens only on both loopback addresses', async () => {
  for (const host of ['127.0.0.1', '::1'])
    expect(status(await raw(get('/api/home'), undefined, host))).toBe(200)
  const { networkInterfaces } = await import('node:os')
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal }) => !internal)
  for (const { address, scopeid } of others)
    if (!scopeid)
      await expect(raw(get('/api/home'), undefined, address)).rejects.toThrow(/ECONNREFUSED|EINVAL/)
})

test('a port in use on one loopback address is in use', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '::1', resolve))
  const { port } = blocker.address() as AddressInfo
  expect(await listenOnLoopback(gateway.createServer, port)).toBeUndefined()
  await new Promise((resolve) => blocker.close(resolve))
})

test('invalid bytes get 400 as JSON', async () => {
  const answer = await raw('GET / HTTP/9.9\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*\{"message": "Bad Request"\}$/s)
})

test('bodies are forwarded unchanged in both directions, with and without a length', async () => {
  const body = randomBytes(3_000_000)
  serve = (request, response) => {
    response.writeHead(200, { 'x-length': request.headers['content-length'] ?? 'none' })
    request.pipe(response)
  }
  const whole = await call('/api/home', { method: 'POST', body })
  expect(whole.headers.get('x-length')).toBe('3000000')
  expect(Buffer.from(await whole.arrayBuffer()).equals(body)).toBe(true)
  const stream = new Blob([body]).stream()
  const chunked = await call('/api/home', { method: 'PUT', body: stream, duplex: 'half' })
  expect(chunked.headers.get('x-length')).toBe('none')
  expect(Buffer.from(await chunked.arrayBuffer()).equals(body)).toBe(true)
})

test('a response is streamed no faster than the client reads it', async () => {
  let written = 0
  serve = (_request, response) => {
    const chunk = Buffer.alloc(1_000_000)
    const more = (): void => {
      for (;;) {
        if (written === 200_000_000) return void response.end()
        written += chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
    }
    more()
  }
  const answer = await call('/api/home')
  const reader = answer.body?.getReader()
  await reader?.read()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(written).toBeLessThan(50_000_000)
  await reader?.cancel()
})

test('a client that disconnects aborts its request at the service', async () => {
  const ended = new Promise<void>((resolve) => {
    serve = (_request, response) => {
      response.write('x')
      response.once('close', resolve)
    }
  })
  const controller = new AbortController()
  const answer = await call('/api/home', { signal: controller.signal })
  await answer.body?.getReader().read()
  controller.abort()
  await expect(ended).resolves.toBeUndefined()
})

test('an incomplete response never looks complete', async () => {
  serve = (_request, response) => {
    response.writeHead(200)
    response.write('{"HomeList": [')
    setTimeout(() => response.destroy(), 50)
  }
  await expect((await call('/api/home')).text()).rejects.toThrow()
  const old = new Promise((resolve, reject) => {
    const socket = connect(listening.port, '127.0.0.1')
    socket.on('error', reject).on('close', resolve).resume()
    socket.write(`GET /api/home HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  })
  await expect(old).rejects.toThrow('ECONNRESET')
})

test('413 reaches a client that is still sending', async () => {
  serve = (request, response) => {
    response.writeHead(413, { 'content-type': 'application/json' })
    response.end('{"error":"Request body too large"}')
    request.resume()
  }
  for (const length of ['Content-Length: 30000000', 'Transfer-Encoding: chunked']) {
    const head = get('/api/home', length).replace('GET', 'POST').replace('Connection: close\r\n', '')
    const chunk = 'x'.repeat(100_000)
    const part = length.startsWith('T') ? `${chunk.length.toString(16)}\r\n${chunk}\r\n` : chunk
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(listening.port, '127.0.0.1').setEncoding('latin1')
      sockets.add(socket)
      let text = ''
      let sent = 0
      socket.on('error', reject).on('data', (data) => (text += String(data)))
      socket.write(head)
      const send = (): void => {
        // It goes on sending whatever it hears, and reads the answer in the end.
        while (sent < 250) {
          sent++
          if (!socket.write(part)) return void socket.once('drain', send)
        }
        resolve(text)
      }
      send()
    })
    expect(status(answer)).toBe(413)
    expect(answer).toContain('Request body too large')
  }
  serve = echo
  expect((await call('/api/home')).status).toBe(200)
})

test('a rejected request may have a large body', async () => {
  const init = { method: 'POST', body: Buffer.alloc(20_000_000), headers: { authorization: '' } }
  expect((await call('/api/home', init)).status).toBe(401)
  expect((await call('/api/nothing', init)).status).toBe(404)
})

test('Expect: 100-continue is answered only if the request will be accepted', async () => {
  const head = (path: string, auth: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${auth}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(listening.port, '127.0.0.1').setEncoding('latin1')
    sockets.add(socket)
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
      if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('hello')
      if (text.includes('"body"')) resolve(text)
    })
    socket.write(head('/api/home', `Bearer ${token}`))
  })
  expect(answer).toContain('"body":"hello"')
  expect(answer).not.toContain('"expect"')
  const refused = await raw(head('/api/home', 'Bearer x'), /Unauthorized/)
  expect(refused).toMatch(/^HTTP\/1\.1 401/)
  expect(
    status(await raw(head('/api/home', `Bearer ${token}`).replace('100-continue', 'a-lot'), /\}$/)),
  ).toBe(417)
})

test('HEAD, redirects, empty responses and header fields are forwarded', async () => {
  serve = (request, response) => {
    response.setHeader('x-method', request.method ?? '')
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    if (request.url === '/home/redirect') response.writeHead(302, { location: '/api/home/1' }).end()
    else if (request.url === '/home/empty') response.writeHead(204).end()
    else
      response
        .writeHead(200, { 'content-length': '7', connection: 'keep-alive, x-own', 'x-own': '1' })
        .end('content')
  }
  const head = await call('/api/home', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), head.headers.get('x-method')]).toEqual([
    200,
    '7',
    'HEAD',
  ])
  expect(head.headers.get('x-own')).toBeNull()
  expect(head.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(await head.text()).toBe('')
  const redirect = await call('/api/home/redirect')
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/api/home/1'])
  expect((await call('/api/home/empty')).status).toBe(204)
  const refused = await call('/api/home', { method: 'HEAD', headers: { authorization: '' } })
  expect([refused.status, refused.headers.get('www-authenticate'), await refused.text()]).toEqual([
    401,
    'Bearer',
    '',
  ])
})

test('informational responses are not forwarded', async () => {
  serve = (_request, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' })
    response.end('done')
  }
  expect(await (await call('/api/home')).text()).toBe('done')
})

test('every request is logged with its status and without its query', async () => {
  await call('/api/home/1?token=secret')
  await call('/nowhere')
  expect(answered.map(({ method, path, status: code }) => [method, path, code])).toEqual([
    ['GET', '/api/home/1', 200],
    ['GET', '/nowhere', 404],
  ])
  expect(answered.every(({ milliseconds }) => milliseconds >= 0)).toBe(true)
})
