import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyMigrations } from '../../../templates/typescript/lib/migrate.ts'
import { migrationsOf } from '../../emit/migrations/changes.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'

const ROWS = 400_000
/** The longest time for which a file without an announcement may block writes. Usually it is a few milliseconds. */
const LIMIT_MS = 1000
const POLL_MS = 20

const KEPT = '#readable(by: this);'
/** One change after the other, on the same table. */
const DEFINITIONS = [
  'name: string(80); note: string(80, 1) @unique; beds: int(max: 90);',
  'name: string(80); note: string(80, 1) @unique; beds: int(max: 90); city: string(80, 1);',
  'name: string(80); note: string(80, 1) @unique; beds: int(max: 900, min: -5); city: string(80, 1);',
  'name: string(80); note: string(80, 1) @unique; beds: int(max: 90, min: 0); city: string(80, 1);',
  'name: string(80); remark: string(80, 1) @unique @was(note); beds: int(max: 90, min: 0); city: string(80, 1);',
  'name: string(80) @unique; remark: string(80, 1) @unique; beds: int(max: 90, min: 0); city: string(80, 1);',
  'name: string(80) @unique; remark: string(80, 1) @unique; beds: int(max: 90, min: 0);',
  'name: string(80) @unique; remark: string(80, 1); beds: int(max: 90, min: 0); #enumerable;',
  'name: string(80) @unique; remark: string(80, 1); beds: int(max: 90, min: 0); Room: struct { n: int; }',
  'name: string(80) @unique; remark: string(80, 1); beds: int(max: 90, min: 0, precision: 8);',
  'name: string(80); remark: string(80, 1)?; beds: int(max: 90, precision: 8); #timestamps;',
  'name: string(80); remark: string(80, 1); beds: int(max: 90, precision: 8) = 2; rate: decimal = 1; #unique[name, beds];',
  'name: string(80); beds: int(max: 90, precision: 8); rate: decimal(scale: 4); kind: enum(a, b) = a; #enumerable(filter: [kind], sort: [beds]);',
  'title: string(80) @was(name); beds: int(max: 90, precision: 8); kind: enum(a, c)?; next: Home?; #enumerable(filter: [kind], sort: [beds]);',
].map((members) => `${members} ${KEPT}`)

let database: TestDatabase
let directory: string

beforeAll(async () => {
  database = await freshDatabase()
  directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
})
afterAll(async () => {
  await database.drop()
  await rm(directory, { recursive: true })
})

const migrate = () =>
  applyMigrations({ connection: { connectionString: database.url }, directory, all: true })

const fileOfTable = async () => {
  const [row] = await database.sql`SELECT pg_relation_filenode('home') AS file`
  return row?.['file'] as unknown
}

/** Looks for locks that block writes until `isDone`. Returns the longest time that one was held for, in milliseconds. */
async function longestLock(isDone: () => boolean): Promise<number> {
  let longest = 0
  let began: number | undefined
  while (!isDone()) {
    const now = performance.now()
    const held = await database.sql`
      SELECT FROM pg_locks WHERE relation = 'home'::regclass AND granted
        AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`
    if (held.length === 0) began = undefined
    else longest = Math.max(longest, performance.now() - (began ??= now))
    await sleep(POLL_MS)
  }
  return longest
}

/** Changes and adds rows until `isDone`, as any version of the code does. Returns the longest wait, in milliseconds. */
async function write(isDone: () => boolean): Promise<number> {
  let longest = 0
  const [columns] = await database.sql`
    SELECT string_agg(quote_ident(attname), ', ') AS names,
      string_agg(CASE WHEN attname IN ('id', '_owner') THEN 'gen_random_uuid()' WHEN attname = 'next' THEN 'NULL'
        WHEN attname = 'kind' THEN $$'a'$$ WHEN atttypid::regtype::text LIKE 'timestamp%' THEN 'now()'
        WHEN atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype) THEN '1'
        ELSE 'gen_random_uuid()::text' END, ', ') AS texts
      FROM pg_attribute WHERE attrelid = 'home'::regclass AND attnum > 0 AND NOT attisdropped`
  for (let count = 0; !isDone(); count++) {
    const began = performance.now()
    await database.sql`UPDATE home SET id = id WHERE id = (SELECT id FROM home OFFSET ${count % 100} LIMIT 1)`
    await database.sql
      .unsafe(`INSERT INTO home (${columns?.['names']}) SELECT ${columns?.['texts']} ON CONFLICT DO NOTHING`)
      .catch((error: unknown) => {
        // The column went with the file.
        if (!String(error).includes('does not exist')) throw error
      })
    longest = Math.max(longest, performance.now() - began)
    await sleep(5)
  }
  return longest
}

test('a table of 400,000 rows is not blocked or rewritten, unless the file says so', async () => {
  const [initial = [], ...changes] = migrationsOf(DEFINITIONS)
  for (const { name, content } of initial) await writeFile(path.join(directory, name), content)
  await migrate()
  await database.sql.unsafe(`
    INSERT INTO home (id, _owner, name, note, beds)
      SELECT gen_random_uuid(), gen_random_uuid(), n::text, n::text, n % 50 FROM generate_series(1, ${ROWS}) AS n;
    ANALYZE home`)
  const measured: Record<string, readonly number[]> = {}
  for (const { name, content } of changes.flat()) {
    await writeFile(path.join(directory, name), content)
    const isAnnounced = /^-- Locks \w+ against/m.test(content)
    const before = await fileOfTable()
    let isDone = false
    const run = migrate().finally(() => {
      isDone = true
    })
    const [, lock, wait] = await Promise.all([run, longestLock(() => isDone), write(() => isDone)])
    measured[name] = [Math.round(lock), Math.round(wait)]
    if (isAnnounced) continue
    expect(lock, name).toBeLessThan(LIMIT_MS)
    expect(wait, name).toBeLessThan(LIMIT_MS)
    expect(await fileOfTable(), `${name} rewrites the table`).toBe(before)
  }
  process.stdout.write(`${JSON.stringify(measured, undefined, 2)}\n`)
  expect(Object.keys(measured).length).toBeGreaterThan(35)
}, 1_200_000)
