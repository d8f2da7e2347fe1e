import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect as connectTo, createServer } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { startPostgres } from '../../../src/dev/postgres.ts'
import { connect, type Database } from '../../../templates/typescript/src/database.ts'
import { classify } from '../../../templates/typescript/src/database-errors.ts'
import { createLog } from '../../../templates/typescript/src/log.ts'
import { freshDatabase, ownPostgres } from '../../postgres.ts'
import { temporaryDirectory } from '../service-process.ts'

const discarded: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const discard of discarded.splice(0).reverse()) await discard()
})

function open(url: string, poolSize = 3): { database: Database; lines: string[] } {
  const lines: string[] = []
  const log = createLog('test', 'debug', (line) => lines.push(line))
  const database = connect({ url, socketDirectory: '', passwordFile: undefined, poolSize }, log)
  discarded.push(() => database.close())
  return { database, lines }
}

async function outcome(query: PromiseLike<unknown>): Promise<string> {
  return Promise.resolve(query).then(
    () => 'done',
    (error: unknown) => classify(error).kind,
  )
}

async function own() {
  const server = await ownPostgres()
  discarded.push(() => server.discard())
  const { url } = await server.ensureDatabase('home')
  return { server, url }
}

test('a killed database: all queries fail at once while it is away and work when it is back', async () => {
  const { server, url } = await own()
  const { database, lines } = open(url)
  await database.ready()
  const running = Array.from({ length: 20 }, () =>
    outcome(database.drizzle.execute(sql`SELECT pg_sleep(30)`)),
  )
  await database.drizzle.execute(sql`SELECT 1`).catch(() => {})

  process.kill(server.pid, 'SIGKILL')
  await server.ended
  expect(new Set(await Promise.all(running))).toEqual(new Set(['unavailable']))
  const queries = Array.from({ length: 500 }, () => outcome(database.drizzle.execute(sql`SELECT 1`)))
  expect(new Set(await Promise.all(queries))).toEqual(new Set(['unavailable']))
  expect(await database.ping()).toBe(false)

  const again = await startPostgres({ directory: path.resolve(server.directory), port: server.port })
  discarded.push(() => again.stop())
  await expect.poll(() => outcome(database.drizzle.execute(sql`SELECT 1`)), { timeout: 15_000 }).toBe('done')
  expect(await database.ping()).toBe(true)
  const many = Array.from({ length: 50 }, () => outcome(database.drizzle.execute(sql`SELECT 1`)))
  expect(new Set(await Promise.all(many))).toEqual(new Set(['done']))
  expect(lines.join('')).toMatch(/does not answer[^]*is back/)
  expect(lines.join('')).not.toContain(new URL(url).password)
})

test('a database that is there and does not answer', async () => {
  const { server, url } = await own()
  const { database } = open(url)
  await database.ready()
  // Stopping the postmaster alone leaves its connections working.
  const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
  const processes = [server.pid, ...children.trim().split(' ').map(Number)]
  for (const pid of processes) process.kill(pid, 'SIGSTOP')
  try {
    expect(await outcome(database.drizzle.execute(sql`SELECT 1`))).toBe('unavailable')
    expect(await outcome(database.drizzle.execute(sql`SELECT 1`))).toBe('unavailable')
  } finally {
    for (const pid of processes) process.kill(pid, 'SIGCONT')
  }
  await expect.poll(() => outcome(database.drizzle.execute(sql`SELECT 1`)), { timeout: 15_000 }).toBe('done')
})

test('a lost connection costs its own query alone, and a slow one costs none', async () => {
  const { url } = await freshDatabase()
  const { database, lines } = open(url)
  await database.ready()
  const slow = outcome(database.drizzle.execute(sql`SELECT pg_sleep(4)`))
  const lost = outcome(
    database.drizzle.execute(sql`SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(1)`),
  )
  expect(await lost).toBe('unavailable')
  expect(await outcome(database.drizzle.execute(sql`SELECT 1`))).toBe('done')
  expect(await slow).toBe('done')
  expect(lines).toEqual([])
})

test('it waits for a database that does not take its password yet, and can be told to stop waiting', async () => {
  const { url } = await freshDatabase()
  const wrong = new URL(url)
  wrong.password = 'sesame'
  const { database, lines } = open(wrong.href)
  const abort = new AbortController()
  const ready = database.ready(abort.signal)
  await expect.poll(() => lines.join('')).toMatch(/"code":"28P01"/)
  abort.abort()
  await expect(ready).rejects.toThrow(/abort/)
  expect(lines.join('')).not.toContain('sesame')
})

test('the password of a file, which may change', async () => {
  const fresh = await freshDatabase()
  const file = path.join(await temporaryDirectory(), 'password')
  await writeFile(file, `${fresh.password}\r\n`)
  const url = new URL(fresh.url)
  url.password = ''
  const log = createLog('test', 'error')
  const database = connect({ url: url.href, socketDirectory: '', passwordFile: file, poolSize: 1 }, log)
  await database.ready()
  expect(await outcome(database.drizzle.execute(sql`SELECT 1`))).toBe('done')
  await database.close()
  await fresh.drop()
})

test('through the Unix socket of the server, which is not there while the server is down', async () => {
  const fresh = await freshDatabase()
  const { hostname, port } = new URL(fresh.url)
  const socketDirectory = await temporaryDirectory()
  const url = new URL(fresh.url)
  url.hostname = 'nowhere.invalid'
  const config = { url: url.href, socketDirectory, passwordFile: undefined, poolSize: 1 }
  const database = connect(config, createLog('test', 'error'))
  const error: unknown = await database.drizzle.execute(sql`SELECT 1`).catch((reason: unknown) => reason)
  expect(classify(error)).toEqual({ kind: 'unavailable' })

  const server = createServer((client) => {
    pipeline(client, connectTo(Number(port), hostname), client, () => {})
  })
  server.listen(path.join(socketDirectory, `.s.PGSQL.${port}`))
  await once(server, 'listening')
  await database.ready()
  expect(await outcome(database.drizzle.execute(sql`SELECT 1`))).toBe('done')
  await database.close()
  server.close()
  await fresh.drop()
})

test('transactions, dates as text and the time zone', async () => {
  const { url } = await freshDatabase('CREATE TABLE t (at timestamptz, d date, c time)')
  const { database } = open(url)
  await database.drizzle.transaction(async (transaction) => {
    await transaction.execute(
      sql`INSERT INTO t VALUES ('2024-01-01T12:00:00.123456+02', ${'2024-02-29'}, ${'01:02:03.000001'})`,
    )
  })
  expect([...(await database.drizzle.execute(sql`SELECT * FROM t`))]).toEqual([
    { at: '2024-01-01 10:00:00.123456+00', d: '2024-02-29', c: '01:02:03.000001' },
  ])
})
