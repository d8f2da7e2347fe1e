import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../../../src/dev/postgres.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { freshDatabase, ownPostgres } from '../../postgres.ts'
import { platformOf, setupPath, setupText } from '../platform.ts'
import { type ServiceProcess, startService } from '../service-process.ts'

/** Limits of outages in milliseconds: until a request gets 503, and until requests succeed again. */
const REFUSED_MS = 3000
const RETURN_MS = 5000

const DEFINITION = `
P: project {}
Thing: service { text: string; Part: struct { text: string; #enumerable; } #enumerable; }
`
const SETUP = setupText(
  `import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { jsonb, pgTable } from 'drizzle-orm/pg-core'
import type { Env, Router } from './hooks.ts'

const note = pgTable('note', { value: jsonb('value') })

const circular: { self?: unknown } = {}
circular.self = circular

export default function setup({ datastore: { db }, transaction }: Env, router: Router): void {
  router.get('/thing/sleep/:seconds', async (c) => {
    await db.execute(sql\`SELECT pg_sleep(\${c.req.param('seconds')})\`)
    return c.json({})
  })
  router.get('/thing/pause/:milliseconds', async (c) => {
    await transaction(async ({ datastore }) => {
      await datastore.db.execute(sql\`SELECT\`)
      await sleep(Number(c.req.param('milliseconds')))
      await datastore.db.execute(sql\`SELECT\`)
    })
    return c.json({})
  })
  router.get('/thing/parallel', async (c) => {
    const statement = sql\`SELECT pg_sleep(0.1)\`
    await transaction(({ datastore }) => Promise.all(Array.from({ length: 15 }, () => datastore.db.execute(statement))))
    return c.json({})
  })
  router.get('/thing/unsendable', async (c) => {
    await db.execute(sql\`SELECT \${circular}::jsonb\`)
    return c.json({})
  })
  router.post('/thing/note', async (c) => {
    const { value } = await c.req.json<{ value: unknown }>()
    const kind = sql<string>\`jsonb_typeof(\${note.value})\`
    const [stored] = await db.insert(note).values({ value }).returning({ kind, value: note.value })
    return c.json(stored)
  })
}
`,
  'outage.go',
)

const discarded: (() => Promise<void>)[] = []
let server: Awaited<ReturnType<typeof ownPostgres>>
let url: string
let superuser: postgres.Sql
let service: ServiceProcess
beforeAll(async () => {
  server = await ownPostgres()
  discarded.push(() => server.discard())
  url = (await server.ensureDatabase('thing')).url
  superuser = postgres(server.superuserUrl('thing'), { max: 1 })
  discarded.push(() => superuser.end({ timeout: 1 }))
  const files = emitProject(platformOf(DEFINITION))
  service = await startService(files, 'thing', { DATABASE_URL: url }, { [setupPath('thing')]: SETUP })
  discarded.push(() => service.discard())
  // After the migrations, which would not run in a database with a table.
  await superuser`CREATE TABLE note (value jsonb)`
  await superuser`ALTER TABLE note OWNER TO thing`
})
afterAll(async () => {
  for (const discard of discarded.toReversed()) await discard()
})

async function call(method: string, at: string, content: object = { text: 'x' }) {
  const sent = method === 'POST' || method === 'PUT' ? { body: JSON.stringify(content) } : {}
  const response = await fetch(`${service.url}${at}`, { method, ...sent })
  return { status: response.status, json: (await response.json()) as { id?: string } }
}

const isReady = async () => (await fetch(`${service.internalUrl}/health/ready`)).status

/** Starts slow queries. Resolves with their responses, which are pending, when all of them are running. */
async function sleepers(count: number, seconds: number) {
  const responses = Array.from({ length: count }, () => call('GET', `/thing/sleep/${seconds}`))
  const running = () => superuser`
    SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%'`
  await expect.poll(async () => (await running()).length, { interval: 10 }).toBe(count)
  return { statuses: async () => (await Promise.all(responses)).map(({ status }) => status) }
}

test('queries under way end well while the database refuses further connections', async () => {
  expect((await call('GET', '/thing/all')).status).toBe(200)
  const { statuses } = await sleepers(3, 1)
  await superuser`ALTER ROLE thing CONNECTION LIMIT 0`
  const began = performance.now()
  const refused = await call('GET', '/thing/all')
  expect([refused.status, refused.json]).toEqual([503, { error: 'Thing is unavailable' }])
  expect(performance.now() - began).toBeLessThan(REFUSED_MS)
  expect(await isReady()).toBe(200)
  expect(await statuses()).toEqual([200, 200, 200])
  expect((await call('GET', '/thing/all')).status).toBe(200)
  await superuser`ALTER ROLE thing CONNECTION LIMIT -1`
})

test('slow queries on all connections leave the service ready, and others wait for them', async () => {
  const { statuses } = await sleepers(10, 1.5)
  expect(await isReady()).toBe(200)
  expect((await call('GET', '/thing/all')).status).toBe(200)
  expect(await statuses()).toEqual(Array.from({ length: 10 }, () => 200))
})

test('writes get 503 while the database is read-only, as hosts make it when its disk is full', async () => {
  const { json } = await call('POST', '/thing')
  await superuser`ALTER SYSTEM SET default_transaction_read_only = on`
  await superuser`SELECT pg_reload_conf()`
  const create = () => call('POST', '/thing')
  await expect.poll(create).toEqual({ status: 503, json: { error: 'Thing is unavailable' } })
  expect((await call('GET', `/thing/${json.id}`)).status).toBe(200)
  await superuser`ALTER SYSTEM RESET default_transaction_read_only`
  await superuser`SELECT pg_reload_conf()`
  await expect.poll(async () => (await create()).status).toBe(201)
})

test('a service whose database is killed answers 503, and works again when it is back', async () => {
  const { json } = await call('POST', '/thing')
  const one = `/thing/${json.id}`
  const operations = [
    ['GET', one],
    ['PUT', one],
    ['DELETE', one],
    ['POST', '/thing'],
    ['GET', '/thing/all'],
    ['GET', '/thing/all?limit=1'],
    ['POST', `${one}/part`],
    ['GET', `${one}/part/all`],
  ] as const

  process.kill(server.pid, 'SIGKILL')
  await server.ended
  for (const [method, at] of operations) {
    const began = performance.now()
    const answer = await call(method, at)
    expect([method, at, answer.status, answer.json]).toEqual([
      method,
      at,
      503,
      { error: 'Thing is unavailable' },
    ])
    expect(performance.now() - began).toBeLessThan(REFUSED_MS)
  }
  expect(await isReady()).toBe(503)
  // What is wrong in the request itself is still said.
  expect((await call('GET', '/thing/x')).status).toBe(400)

  const again = await startPostgres({ directory: path.resolve(server.directory), port: server.port })
  discarded.push(() => again.stop())
  const returned = performance.now()
  await expect.poll(async () => (await call('GET', one)).status, { timeout: RETURN_MS }).toBe(200)
  for (const [method, at] of [...operations.slice(3), ...operations.slice(0, 3)]) {
    expect((await call(method, at)).status).toBeLessThan(300)
  }
  await expect.poll(isReady, { timeout: RETURN_MS }).toBe(200)
  expect(performance.now() - returned).toBeLessThan(RETURN_MS)
  expect(service.output.text).not.toContain(new URL(url).password)
})

test.each([
  ['object', { list: [1, 'two', null], 'a "quoted" key': { deep: true } }],
  ['array', ['x', { y: 1 }]],
  ['string', 'text'],
  ['number', 3],
])('a query of the user after that encodes a JSON %s once', async (kind, value) => {
  const answer = await call('POST', '/thing/note', { value })
  expect([answer.status, answer.json]).toEqual([200, { kind, value }])
})

test('a value that cannot be sent ends its request, not the service', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => call('GET', '/thing/unsendable')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500))
  expect((await call('GET', '/thing/all')).status).toBe(200)
})

/** A service whose server has 300 ms for a statement, and 500 ms more to respond. */
async function impatientService() {
  const database = await freshDatabase()
  const environment = { DATABASE_URL: database.url, DATABASE_STATEMENT_TIMEOUT_MS: '300' }
  const impatient = await startService(emitProject(platformOf(DEFINITION)), 'thing', environment, {
    [setupPath('thing')]: SETUP,
  })
  discarded.push(() => impatient.discard())
  return { database, impatient }
}

test('between its statements, a transaction may take longer than a statement', async () => {
  const { impatient } = await impatientService()
  const pause = () => fetch(`${impatient.url}/thing/pause/1500`)
  const answers = await Promise.all(Array.from({ length: 3 }, pause))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await fetch(`${impatient.url}/thing/sleep/1`)).status).toBe(503)
  expect((await fetch(`${impatient.url}/thing/all`)).status).toBe(200)
})

test('parallel statements of a transaction may take longer than one statement', async () => {
  const { impatient } = await impatientService()
  expect((await fetch(`${impatient.url}/thing/parallel`)).status).toBe(200)
})

test('a statement on a frozen connection answers 503, and the next one gets a new connection', async () => {
  const { database, impatient } = await impatientService()
  const list = () => fetch(`${impatient.url}/thing/all`)
  // On a connection that has been idle.
  expect((await list()).status).toBe(200)
  await sleep(1000)
  expect((await list()).status).toBe(200)

  const frozen = await database.sql<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND query ILIKE '%from "thing"%' AND pid <> pg_backend_pid()`
  expect(frozen).toHaveLength(1)
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP')
  try {
    expect((await list()).status).toBe(503)
    expect((await list()).status).toBe(200)
  } finally {
    for (const { pid } of frozen) process.kill(pid, 'SIGCONT')
  }
})
