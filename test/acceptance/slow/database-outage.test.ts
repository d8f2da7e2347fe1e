import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf, setupPath, setupText } from '../../emit/platform.ts'
import { type ServiceProcess, startService } from '../../emit/service-process.ts'
import { ownPostgres } from '../../postgres.ts'

/** Limits in milliseconds: until requests to a frozen database get 503, and until they succeed after it continues. */
const FROZEN_MS = 10_000
const RETURN_MS = 5000
const POOL_SIZE = 10
/** Ends tests that would otherwise leave processes stopped. */
const RESPONSE_MS = 20_000

const DEFINITION = `
P: project {}
Thing: service { text: string; Part: struct { text: string; #enumerable; } #enumerable; }
`
const SETUP = setupText(
  `import { sql } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
  router.post('/thing/waiting-transaction', async (c) => {
    await env.transaction(async ({ datastore }) => {
      await datastore.createThing({ text: 'not committed' })
      await sleep(11_000)
      await datastore.createThing({ text: 'not committed' })
    })
    return c.json({})
  })
  router.get('/thing/connection', async (c) => {
    const { rows } = await env.datastore.db.execute(sql\`SELECT pg_backend_pid() AS pid, pg_sleep(0.5)\`)
    return c.json({ pid: rows[0]?.['pid'] })
  })
  router.post('/thing/transaction', async (c) => {
    await env.transaction(({ datastore }) => datastore.createThing({ text: 'x' }))
    return c.json({})
  })
}
`,
  'database-outage.go',
)

const discarded: (() => Promise<void>)[] = []
let server: Awaited<ReturnType<typeof ownPostgres>>
let service: ServiceProcess

beforeAll(async () => {
  server = await ownPostgres()
  discarded.push(() => server.discard())
  const { url } = await server.ensureDatabase('thing')
  const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: String(POOL_SIZE) }
  service = await startService(emitProject(platformOf(DEFINITION)), 'thing', env, {
    [setupPath('thing')]: SETUP,
  })
  discarded.push(() => service.discard())
})

afterAll(async () => {
  for (const discard of discarded.toReversed()) await discard()
})

interface Timed {
  readonly status: number
  readonly json: unknown
  readonly ms: number
}

async function call(method: string, at: string): Promise<Timed> {
  const began = performance.now()
  const sent = method === 'POST' || method === 'PUT' ? { body: JSON.stringify({ text: 'x' }) } : {}
  const signal = AbortSignal.timeout(RESPONSE_MS)
  const response = await fetch(`${service.url}${at}`, { method, signal, ...sent })
  return { status: response.status, json: await response.json(), ms: performance.now() - began }
}

async function isReady(): Promise<number> {
  const signal = AbortSignal.timeout(RESPONSE_MS)
  return (await fetch(`${service.internalUrl}/health/ready`, { signal })).status
}

/** Uses all connections of the pool at once. Returns the processes that the server has for them. */
async function connections(): Promise<unknown[]> {
  const responses = await Promise.all(
    Array.from({ length: POOL_SIZE }, () => call('GET', '/thing/connection')),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: POOL_SIZE }, () => 200))
  return responses.map(({ json }) => Object(json).pid as unknown)
}

/** One request of each kind. Each deletion has a thing of its own. */
async function operations(): Promise<() => Promise<Timed[]>> {
  const [kept, deleted] = await Promise.all(
    Array.from({ length: 2 }, async () => `/thing/${Object((await call('POST', '/thing')).json).id}`),
  )
  const requests = [
    ['POST', '/thing'],
    ['GET', kept],
    ['PUT', kept],
    ['DELETE', deleted],
    ['GET', '/thing/all'],
    ['POST', `${kept}/part`],
    ['GET', `${kept}/part/all`],
    ['POST', '/thing/transaction'],
  ] as const
  return () => Promise.all(requests.map(([method, at = '']) => call(method, at)))
}

test('transactions that wait longer than 10 s are ended by the database, and the pool recovers', async () => {
  const before = new Set(await connections())
  expect(before.size).toBe(POOL_SIZE)
  const waiting = Array.from({ length: POOL_SIZE }, () => call('POST', '/thing/waiting-transaction'))
  const answers = await Promise.all(waiting)
  expect(answers.map(({ status, json }) => [status, json])).toEqual(
    Array.from({ length: POOL_SIZE }, () => [503, { error: 'Thing is unavailable' }]),
  )
  const after = await connections()
  expect(new Set(after).size).toBe(POOL_SIZE)
  expect(after.filter((pid) => before.has(pid))).toEqual([])
  const { json } = await call('GET', '/thing/all')
  expect(json).toEqual({ ThingList: [] })
})

test('a frozen database is 503 within 10 s, and full service is back within 5 s after it continues', async () => {
  await connections()
  const request = await operations()
  const before = new Set((await request()).map(({ status }) => status))
  expect(before).toEqual(new Set([200, 201]))

  const sendAll = await operations()
  const pids = processesOf(server.pid)
  expect(pids.length).toBeGreaterThan(POOL_SIZE)
  // The postmaster first, so that it starts no other processes.
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    // First on connections that exist, then on new ones.
    for (let round = 0; round < 2; round++) {
      for (const { status, json, ms } of await sendAll()) {
        expect([status, json]).toEqual([503, { error: 'Thing is unavailable' }])
        expect(ms).toBeLessThan(FROZEN_MS)
      }
    }
    expect(await isReady()).toBe(503)
  } finally {
    for (const pid of pids.toReversed()) process.kill(pid, 'SIGCONT')
  }

  const continued = performance.now()
  await expect.poll(async () => (await call('GET', '/thing/all')).status, { timeout: RETURN_MS }).toBe(200)
  await expect.poll(isReady, { timeout: RETURN_MS }).toBe(200)
  const after = await (await operations())()
  expect(new Set(after.map(({ status }) => status))).toEqual(before)
  expect(new Set(await connections()).size).toBe(POOL_SIZE)
  expect(performance.now() - continued).toBeLessThan(RETURN_MS)
})

/** A process and its children, each of which is in a process group of its own. */
function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return [pid, ...children.map(Number)]
}
