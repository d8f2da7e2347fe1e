import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databases } from '../../../src/emit/database/databases.ts'
import { initialMigration } from '../../../src/emit/migrations/initial.ts'
import { schemaHash } from '../../../src/emit/database/hash.ts'
import { applyMigrations } from '../../../templates/typescript/lib/migrate.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import { platformOf } from '../platform.ts'

const DEFINITION = `
P: project { #authMethod(email); }
User: service { name: string(5) @unique; bio: string @unique; photo: data; #auth; #enumerable;
  /// Its documentation.
  Badge: struct { title: string(80, 1); first: Badge @server; #enumerable; }
}`
const [, USER] = databases(platformOf(DEFINITION))
const SCHEMA = schemaHash(USER?.tables ?? [])
const NEXT = 'a'.repeat(64)

let database: TestDatabase
let directory: string
let progress: string[]

beforeEach(async () => {
  database = await freshDatabase()
  directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  progress = []
  await writeFile(file('0001_initial'), initial(DEFINITION))
})
afterEach(async () => {
  await database.drop()
  await rm(directory, { recursive: true })
})

const file = (name: string) => path.join(directory, `${name}.sql`)

function initial(definition: string): string {
  const [, user] = databases(platformOf(definition))
  return initialMigration({ service: 'User', tables: user?.tables ?? [] })
}

/** Applies the migrations. Returns the message of the error, with the directory left out. */
async function run(): Promise<string | undefined> {
  const onProgress = (text: string) => progress.push(withoutDirectory(text))
  return applyMigrations({ connection: { connectionString: database.url }, directory, onProgress }).then(
    () => undefined,
    (error: unknown) => withoutDirectory(error instanceof Error ? error.message : String(error)),
  )
}

const withoutDirectory = (text: string) =>
  text.replaceAll(`${directory}/`, '').replaceAll(/ in \d+ ms/g, ' in N ms')

const recorded = async () => {
  const rows = await database.sql`SELECT name, schema FROM _migration ORDER BY name`
  return rows.map(({ name, schema }) => [String(name), String(schema)])
}

test('an empty database gets every migration once, in the order of the numbers', async () => {
  await writeFile(file('0010_c'), `-- schema: ${NEXT} -> ${SCHEMA}\nDROP TABLE "added";`)
  await writeFile(file('0002_b'), `-- schema: ${SCHEMA} -> ${NEXT}\nCREATE TABLE "added" (n int);`)
  expect(await run()).toBeUndefined()
  expect(progress).toEqual([
    'Applied 0001_initial.sql in N ms',
    'Applied 0002_b.sql in N ms',
    'Applied 0010_c.sql in N ms',
  ])
  expect(await recorded()).toEqual([
    ['0001_initial', SCHEMA],
    ['0002_b', NEXT],
    ['0010_c', SCHEMA],
  ])
  progress = []
  expect(await run()).toBeUndefined()
  expect(progress).toEqual([])
})

test('a database with a file that was deleted, whose number another has, stays as it is', async () => {
  await writeFile(file('0002_b'), `-- schema: ${SCHEMA} -> ${NEXT}\nCREATE TABLE "added" (n int);`)
  await run()
  await rm(file('0002_b'))
  await writeFile(file('0002_c'), `-- schema: ${SCHEMA} -> ${NEXT}\nCREATE TABLE "other" (n int);`)
  expect(await run()).toBe(
    'The database has the migration 0002_b, which this project does not have. ' +
      'It belongs to another service or branch, or its file was deleted',
  )
  expect((await recorded()).map(([name]) => name)).toEqual(['0001_initial', '0002_b'])
})

test('runners at the same time apply each migration once', async () => {
  const outcomes = await Promise.all(Array.from({ length: 8 }, run))
  expect(outcomes.filter((error) => error !== undefined)).toEqual([])
  expect(progress.filter((text) => text.startsWith('Applied'))).toEqual(['Applied 0001_initial.sql in N ms'])
})

test('a server that answers late is waited for', async () => {
  const { hostname, port } = new URL(database.url)
  const late = createServer((socket) => {
    socket.on('error', () => {})
    void sleep(2500).then(() => socket.pipe(connect(Number(port), hostname)).pipe(socket))
  })
  await once(late.listen(0, '127.0.0.1'), 'listening')
  try {
    const url = new URL(database.url)
    url.port = String((late.address() as AddressInfo).port)
    await applyMigrations({
      connection: { connectionString: url.href, connectionTimeoutMillis: 2000 },
      directory,
    })
  } finally {
    late.close()
  }
  expect(await recorded()).toEqual([['0001_initial', SCHEMA]])
})

test('a failed migration names the statement, changes nothing, and is tried again', async () => {
  await run()
  const header = `-- schema: ${SCHEMA} -> ${NEXT}\n\n`
  const script = (type: string) =>
    `${header}CREATE TABLE "added" (n int);\n\nINSERT INTO "added"\n  VALUES (${type});\n`
  await writeFile(file('0002_added'), script("'text'"))
  expect(await run()).toBe(
    '0002_added.sql, line 5: invalid input syntax for type integer: "text"\n  INSERT INTO "added"\n    VALUES (\'text\')',
  )
  expect(await database.sql`SELECT FROM pg_tables WHERE tablename = 'added'`).toHaveLength(0)
  await writeFile(file('0002_added'), script('1'))
  expect(await run()).toBeUndefined()
  expect(await database.sql`SELECT n FROM added`).toEqual([{ n: 1 }])
})

test('the message of a failed check is the only line', async () => {
  await run()
  const sql = `DO $$ BEGIN\n  RAISE EXCEPTION 'Rows of user share their name';\nEND $$;`
  await writeFile(file('0002_ours'), `-- schema: ${SCHEMA} -> ${NEXT}\n${sql}`)
  expect(await run()).toBe('0002_ours.sql, line 2: Rows of user share their name')
})

test('a comment that is stored says nothing about transactions', async () => {
  await run()
  const comment = `COMMENT ON TABLE "user" IS 'A user\n-- no transaction\n'`
  await writeFile(
    file('0002_ours'),
    `-- schema: ${SCHEMA} -> ${NEXT}\nCREATE TABLE kept ();\n${comment};\nSELECT 1/0;`,
  )
  expect(await run()).toMatch(/division by zero/)
  expect(await database.sql`SELECT FROM pg_tables WHERE tablename = 'kept'`).toHaveLength(0)
})

test('a file that says so runs without a transaction', async () => {
  await run()
  await writeFile(
    file('0002_index'),
    `-- schema: ${SCHEMA} -> ${NEXT}\n-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "mine" ON "user" ("name");`,
  )
  const outcomes = await Promise.all(Array.from({ length: 4 }, run))
  expect(outcomes.filter((error) => error !== undefined)).toEqual([])
  expect(await database.sql`SELECT FROM pg_indexes WHERE indexname = 'mine'`).toHaveLength(1)
})

test('a migration gives way to a transaction that uses its table, and runs after it', async () => {
  await run()
  await writeFile(file('0002_column'), `-- schema: ${SCHEMA} -> ${NEXT}\nALTER TABLE "user" ADD "n" int;`)
  const reads: number[] = []
  await database.sql.begin(async (sql) => {
    await sql`SELECT FROM "user"`
    void run()
    for (let i = 0; i < 4; i++) {
      await sleep(600)
      const began = performance.now()
      // A migration that waits in the database would make every other statement wait too.
      await database.sql`SELECT FROM "user"`
      reads.push(performance.now() - began)
    }
  })
  await expect.poll(async () => (await recorded()).length).toBe(2)
  expect(progress).toContain('0002_column.sql waits for a table that is in use')
  expect(Math.max(...reads)).toBeLessThan(1500)
})

test('a changed file is reported and does not run again', async () => {
  await run()
  await writeFile(file('0001_initial'), initial(DEFINITION.replace('Its documentation', 'New words')))
  progress = []
  expect(await run()).toBeUndefined()
  expect(progress).toEqual(['0001_initial.sql was changed after it was applied. It does not run again'])
  await writeFile(file('0001_initial'), initial(DEFINITION.replace('photo', 'picture')))
  expect(await run()).toBe(
    '0001_initial.sql was changed after it was applied and now leads to another schema. Applied migrations do not ' +
      'run again: restore the file and write a new one',
  )
})

test('a file with other line ends is not a changed one', async () => {
  await run()
  await writeFile(file('0001_initial'), initial(DEFINITION).replaceAll('\n', '\r\n'))
  progress = []
  expect(await run()).toBeUndefined()
  expect(progress).toEqual([])
})

test('files that do not follow each other are noticed', async () => {
  await run()
  await writeFile(file('0003_ours'), `-- schema: ${SCHEMA} -> ${NEXT}\nSELECT 1;`)
  expect(await run()).toBeUndefined()
  await writeFile(file('0004_theirs'), `-- schema: ${SCHEMA} -> ${NEXT}\nSELECT 1;`)
  expect(await run()).toBe('0004_theirs.sql does not start from the schema that 0003_ours leads to')
  await rm(file('0004_theirs'))
  await writeFile(file('0002_theirs'), `-- schema: ${NEXT} -> ${NEXT}\nSELECT 1;`)
  expect(await run()).toBe('0002_theirs.sql comes before 0003_ours, which is already applied')
  await writeFile(file('0002_theirs'), 'SELECT 1;')
  expect(await run()).toBe('0002_theirs.sql has no line `-- schema: <state> -> <state>`')
})

test('a contract file waits for the next deployment, and for the end of the code that needs what it removes', async () => {
  await run()
  await writeFile(file('0002_b.expand'), `-- schema: ${SCHEMA} -> ${NEXT}~1\nCREATE TABLE "added" (n int);`)
  await writeFile(file('0003_b.contract'), `-- schema: ${NEXT}~1 -> ${NEXT}!\nDROP TABLE "badge";`)
  const waits = '0003_b.contract.sql waits for the next deployment'
  expect(await run()).toBeUndefined()
  expect(progress.splice(0)).toEqual([
    'Applied 0001_initial.sql in N ms',
    'Applied 0002_b.expand.sql in N ms',
    waits,
  ])
  const previous = new Client({
    connectionString: database.url,
    application_name: `portico ${SCHEMA.slice(0, 32)}`,
  })
  await previous.connect()
  try {
    expect(await run()).toBeUndefined()
    expect(progress.splice(0)).toEqual([waits])
    await writeFile(
      file('0004_c.expand'),
      `-- schema: ${NEXT}! -> ${'b'.repeat(64)}\nCREATE TABLE "more" (n int);`,
    )
    expect(await run()).toBe(
      '0003_b.contract.sql removes what the running code still needs. First deploy the version of the project ' +
        'that added this file, or stop the service',
    )
  } finally {
    await previous.end()
  }
  expect(await run()).toBeUndefined()
  expect(progress).toEqual(['Applied 0003_b.contract.sql in N ms', 'Applied 0004_c.expand.sql in N ms'])
})

test('the command needs a service', () => {
  const { status, stderr } = spawnSync(process.execPath, ['templates/typescript/lib/migrate.ts'], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'Missing service. Usage: node lib/migrate.ts <service> [<service>-db] [--all]\n',
  })
})
