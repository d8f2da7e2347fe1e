import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  writeCredentials,
} from '../service-process.ts'
import { authFiles } from './fixture.ts'

let database: TestDatabase
let service: ServiceProcess
let env: Record<string, string>

beforeAll(async () => {
  database = await freshDatabase()
  const { file } = await writeCredentials(await temporaryDirectory())
  env = {
    DATABASE_URL: database.url,
    GATEWAY_CREDENTIALS_FILE: file,
    PASSWORD_THREADS: '1',
    PASSWORD_QUEUE: '50',
  }
  service = await startService(authFiles, 'auth', env)
})
afterAll(async () => {
  await service.discard()
  await database.drop()
})

const USER = { email: 'ada@example.org', password: 'correct horse' }

/** The status of a request with the addresses that the proxies in front of the service have added. */
async function post(operation: string, body: object, client: string, { url } = service): Promise<number> {
  const response = await fetch(`${url}/auth/${operation}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'x-forwarded-for': `spoofed, ${client}` },
  })
  await response.body?.cancel()
  return response.status
}

test('300 parallel logins of one client do not shut out the others', async () => {
  expect(await post('register', USER, '192.0.2.1')).toBe(201)
  const unloaded = await timeOf(() => post('login', USER, '192.0.2.1'))
  const flood = Array.from({ length: 300 }, () =>
    post('login', { ...USER, password: 'wrong horse' }, '198.51.100.7'),
  )
  await sleep(200)
  const others: [number, number][] = []
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    const began = performance.now()
    const status = await post('login', USER, client)
    others.push([status, performance.now() - began])
  }
  expect(others.map(([status]) => status)).toEqual([200, 200, 200])
  // They wait for the hash that is running, not for all those that came before.
  expect(Math.max(...others.map(([, ms]) => ms))).toBeLessThan(unloaded * 10 + 500)
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 503]))
})

test('480 unfinished bodies use little memory and shut nobody out', async () => {
  const before = memoryOf(service.pid)
  const sockets = await Promise.all(Array.from({ length: 480 }, unfinished))
  await sleep(500)
  expect(await post('login', USER, '192.0.2.1')).toBe(200)
  expect(memoryOf(service.pid) - before).toBeLessThan(200)
  for (const socket of sockets) socket.destroy()
})

test('clients of a trusted proxy are told apart', async () => {
  const proxied = await startService(authFiles, 'auth', { ...env, PASSWORD_QUEUE: '4', TRUSTED_PROXIES: '1' })
  const PROXY = '203.0.113.1'
  const user = { ...USER, email: 'proxied@example.org' }
  try {
    expect(await post('register', user, `192.0.2.1, ${PROXY}`, proxied)).toBe(201)
    const flood = Array.from({ length: 40 }, () => post('login', user, `198.51.100.7, ${PROXY}`, proxied))
    // On a busy machine, some succeed before the queue is full.
    await Promise.any(flood.map(async (status) => expect(await status).toBe(503)))
    expect(await post('login', user, `192.0.2.2, ${PROXY}`, proxied)).toBe(200)
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200, 503]))
  } finally {
    await proxied.discard()
  }
})

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}

/** Resident memory in MB. */
function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Sends all but the end of a body of 1 MB, half of them without saying how long it is. */
async function unfinished(_: unknown, index: number): Promise<Socket> {
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  const length = index % 2 === 0 ? 'Content-Length: 1000000' : 'Transfer-Encoding: chunked'
  socket.write(`POST /auth/login HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`)
  if (index % 2 === 1) socket.write('F423F\r\n')
  socket.write(Buffer.alloc(999_999, ' '))
  return socket
}
