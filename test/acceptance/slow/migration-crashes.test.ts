import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { applyMigrations } from '../../../templates/typescript/lib/migrate.ts'
import { databaseOf, migrationsOf } from '../../emit/migrations/changes.ts'
import { reset, schemaObjects } from '../../emit/migrations/schema-objects.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import { startPostgresProxy } from '../../postgres-proxy.ts'

const RUNNER = fileURLToPath(new URL('../../emit/migrations/run-migrations.ts', import.meta.url))

/** Every kind of file: transactions, a copy in batches, an index outside of a transaction, contract files. */
const BEFORE = 'mail: string(80) @unique; beds: int(max: 90); #readable(by: this);'
const AFTER =
  'email: string(80) @unique @was(mail); beds: int(max: 9, min: 1); #readable(by: this); #enumerable;'
const ROWS = `INSERT INTO home (id, _owner, mail, beds)
  SELECT gen_random_uuid(), gen_random_uuid(), n::text, 1 + n % 9 FROM generate_series(1, 25) AS n`

let database: TestDatabase
let directory: string
let wanted: string[]
let changes: readonly (readonly [name: string, content: string])[]

beforeAll(async () => {
  database = await freshDatabase()
  directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  wanted = await reset(database.sql, schemaScript(databaseOf(AFTER).tables))
  const [initial = [], added = []] = migrationsOf([BEFORE, AFTER])
  // Several batches.
  changes = added.map(({ name, content }) => [name, content.replace('LIMIT 10000', 'LIMIT 10')])
  for (const { name, content } of initial) await writeFile(path.join(directory, name), content)
})
afterAll(async () => {
  await database.drop()
  await rm(directory, { recursive: true })
})

/** Applies the first migration, and adds the others. */
async function prepare(): Promise<void> {
  for (const [name] of changes) await rm(path.join(directory, name), { force: true })
  await reset(database.sql, '')
  await migrate()
  await database.sql.unsafe(ROWS)
  for (const [name, content] of changes) await writeFile(path.join(directory, name), content)
}

async function migrate(): Promise<void> {
  await applyMigrations({ connection: { connectionString: database.url }, directory, all: true })
}

/** Runs the runner in a process of its own, and kills it when it has sent a query. Returns how many queries it sent. */
async function killAt(stopAt: number): Promise<number> {
  const url = new URL(database.url)
  let runner: ChildProcess | undefined
  const proxy = await startPostgresProxy(new URL(url), {
    stopAt,
    onStop: () => runner?.kill('SIGKILL'),
  })
  url.port = String(proxy.port)
  runner = spawn(process.execPath, [RUNNER, url.href, directory], { stdio: 'inherit' })
  try {
    await once(runner, 'exit')
    return proxy.queries.length
  } finally {
    await proxy.close()
  }
}

async function expectDone(what: string): Promise<void> {
  expect(await schemaObjects(database.sql), what).toEqual(wanted)
  const rows =
    await database.sql`SELECT count(DISTINCT email)::int AS mails, sum(beds)::int AS beds FROM home`
  expect(rows, what).toEqual([{ mails: 25, beds: 125 }])
}

test('a runner that is killed at any statement leaves a database that the next run completes', async () => {
  await prepare()
  const queries = await killAt(Infinity)
  await expectDone('undisturbed')
  expect(queries).toBeGreaterThan(25)
  for (let number = 1; number <= queries; number++) {
    await prepare()
    expect(await killAt(number)).toBe(number)
    await migrate()
    await expectDone(`killed at query ${number}`)
  }
}, 600_000)

test('an index that an interrupted run left behind is built again', async () => {
  await prepare()
  const build = database.sql`CREATE UNIQUE INDEX CONCURRENTLY home___owner__id__idx ON home (beds)`
  await expect(build).rejects.toThrow('could not create unique index')
  expect(await database.sql`SELECT FROM pg_index WHERE NOT indisvalid`).toHaveLength(1)
  await migrate()
  await expectDone('with an index that is not valid')
})
