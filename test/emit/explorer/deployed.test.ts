import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { deployedExplorer } from '../../../src/emit/explorer/deployed.ts'
import { exampleOf } from '../diagram/definitions.ts'

const ASSETS = new Map([
  ['index.html', '<!doctype html><title>page</title>'],
  ['reference.html', '<!doctype html><title>reference</title>'],
  ['main.js', 'export {}'],
  ['part-ABCD1234.js', 'export {}'],
])
/** What the gateway sends in place of a response. */
const BAD_RESPONSES: Readonly<Record<string, string>> = {
  '/api/closes': '',
  '/api/is-not-http': 'SSH-2.0-OpenSSH\r\n',
  '/api/ends-in-the-head': 'HTTP/1.1 200 OK\r\ncontent-',
  '/api/status-5': 'HTTP/1.1 5 OK\r\ncontent-length: 0\r\n\r\n',
  '/api/status-099': 'HTTP/1.1 099 OK\r\ncontent-length: 0\r\n\r\n',
  '/api/status-101': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  '/api/only-informs': 'HTTP/1.1 103 Early Hints\r\n\r\n',
  '/api/two-lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
  '/api/bad-header': 'HTTP/1.1 200 OK\r\nx: a\u0001b\r\ncontent-length: 0\r\n\r\n',
  '/api/stalls': '',
}
const files = deployedExplorer(exampleOf('stays'), ASSETS)

let directory: string
let gateway: Server
let explorer: ChildProcess
let origin: string

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-explorer-'))
  for (const file of files) {
    mkdirSync(path.dirname(path.join(directory, file.path)), { recursive: true })
    // It waits for 70 s.
    writeFileSync(path.join(directory, file.path), file.content.replace('70_000', '700'))
  }
  // Echoes requests. `/api/breaks` closes the connection before the end of the body.
  gateway = createServer((incoming, response) => {
    const raw = BAD_RESPONSES[incoming.url ?? '']
    if (raw !== undefined) {
      incoming.resume()
      incoming.socket.write(raw)
      if (incoming.url !== '/api/stalls') incoming.socket.end()
      return
    }
    if (incoming.url === '/api/breaks') {
      response.writeHead(200, { 'content-length': 1000 }).write('half')
      setTimeout(() => response.destroy(), 50)
      return
    }
    let body = ''
    incoming.setEncoding('utf8').on('data', (text: string) => (body += text))
    incoming.once('end', () => {
      const { method, url, headers } = incoming
      response.writeHead(incoming.method === 'POST' ? 201 : 401, { location: '/api/home/1' })
      response.end(JSON.stringify({ method, url, authorization: headers.authorization, body }))
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  explorer = spawn(process.execPath, ['server.ts'], {
    cwd: directory,
    // As Portico prints it; the browser tests pass a URL.
    env: { GATEWAY: `localhost:${portOf(gateway)}`, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { stdout } = explorer
  if (stdout === null) throw new Error('The explorer has no output')
  const line = await new Promise<string>((resolve) => createInterface(stdout).once('line', resolve))
  origin = `http://127.0.0.1:${/port (\d+)/.exec(line)?.[1]}`
})

afterAll(async () => {
  explorer?.kill('SIGKILL')
  gateway?.closeAllConnections()
  gateway?.close()
  rmSync(directory, { recursive: true, force: true })
})

test('serves the page, its files and its data, with a content security policy', async () => {
  const page = await fetch(`${origin}/?x=1`)
  expect([page.status, await page.text()]).toEqual([200, ASSETS.get('index.html')])
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const reference = await fetch(`${origin}/_explorer/reference.html`)
  expect(reference.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  const part = await fetch(`${origin}/_explorer/part-ABCD1234.js`, { method: 'HEAD' })
  expect([part.headers.get('cache-control'), await part.text()]).toEqual([
    'private, max-age=31536000, immutable',
    '',
  ])
  const described = (await (await fetch(`${origin}/_explorer/platform.json`)).json()) as object
  expect(described).toMatchObject({ name: 'Stays', isLive: false })
  expect((await fetch(`${origin}/_explorer/openapi.json`)).headers.get('content-type')).toBe(
    'application/json',
  )
  expect(await (await fetch(`${origin}/_explorer/diagram.svg`)).text()).toContain('data-declaration="Home"')
})

test('serves no other files', async () => {
  for (const target of [
    '/server.ts',
    '/_explorer/../server.ts',
    '/_explorer/%2e%2e/pages.json',
    '/page/',
    '/api',
  ])
    expect(await statusOf('GET', target), target).toBe(404)
  expect(await statusOf('POST', '/')).toBe(405)
  expect(await statusOf('POST', '/_explorer/roles/admin')).toBe(404)
})

function statusOf(method: string, target: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // `fetch` would resolve the dots.
    request(origin, { method, path: target }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .once('error', reject)
      .end()
  })
}

test('forwards requests to the gateway, and returns its responses', async () => {
  const made = await fetch(`${origin}/api/home?limit=2`, {
    method: 'POST',
    headers: { authorization: 'Bearer x.y.z' },
    body: '{"address": "ä"}',
  })
  expect([made.status, made.headers.get('location')]).toEqual([201, '/api/home/1'])
  expect(await made.json()).toEqual({
    method: 'POST',
    url: '/api/home?limit=2',
    authorization: 'Bearer x.y.z',
    body: '{"address": "ä"}',
  })
  expect((await fetch(`${origin}/api/home/all`)).status).toBe(401)
  const broken = await fetch(`${origin}/api/breaks`)
  await expect(broken.text()).rejects.toThrow()
})

test.each(Object.keys(BAD_RESPONSES))(
  '%s: a bad response of the gateway ends only its own request',
  async (url) => {
    for (const init of [{}, { method: 'POST', body: 'x'.repeat(100_000) }]) {
      const { status } = await fetch(origin + url, init)
      expect(status).toBe(url === '/api/stalls' ? 504 : 502)
    }
    expect((await fetch(`${origin}/api/home/all`)).status).toBe(401)
  },
)

test('responds with 502 if the gateway is not reachable, and stops on SIGTERM', async () => {
  gateway.closeAllConnections()
  await new Promise((resolve) => gateway.close(resolve))
  const answer = await fetch(`${origin}/api/home/all`)
  expect([answer.status, await answer.json()]).toEqual([
    502,
    { message: 'The gateway is not reachable, or its response is invalid' },
  ])
  const ended = new Promise((resolve) => explorer.once('exit', resolve))
  explorer.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('runs next to the platform in containers, on the loopback interface by default', () => {
  const text = files.find((file) => file.path === 'compose.yaml')?.content ?? ''
  const { services, networks } = parse(text) as {
    services: { explorer: Record<string, unknown> }
    networks: Record<string, unknown>
  }
  expect(services.explorer).toMatchObject({
    ports: ['${EXPLORER_ADDRESS:-127.0.0.1}:${EXPLORER_PORT:-8090}:8090'],
    read_only: true,
    cap_drop: ['ALL'],
    networks: ['platform'],
  })
  expect(networks).toEqual({ platform: { external: true, name: '${PLATFORM_NETWORK:-stays_default}' } })
})
