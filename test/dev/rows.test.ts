import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Databases, openDatabases } from '../../src/dev/databases.ts'
import type { RunningPostgres } from '../../src/dev/postgres.ts'
import { readRows, type RowsPage, type RowsQuery } from '../../src/dev/rows.ts'
import { databases as databasesOf } from '../../src/emit/database/databases.ts'
import { schemaScript } from '../../src/emit/database/sql.ts'
import type { Table } from '../../src/emit/database/table.ts'
import { platformOf } from '../emit/platform.ts'
import { freshDatabase, type TestDatabase } from '../postgres.ts'

const PLATFORM = platformOf(`
  Shop: project { #authMethod(email); #roles[agent]; }
  Customer: service { #auth; }
  Order: service {
    customer: Customer;
    price: decimal(scale: 2);
    note: string(1k)?;
    secret: string(10) @server;
    Page: struct { scan: data(5M); at: datetime; }
    Remind: job { text: string(9); }
  }
`)
const TABLES = databasesOf(PLATFORM).flatMap(({ tables }) => tables)
const ALL = { filter: undefined, before: undefined }

let database: TestDatabase
let databases: Databases

beforeAll(async () => {
  database = await freshDatabase(schemaScript(TABLES))
  databases = openDatabases({ superuserUrl: () => database.url } as unknown as RunningPostgres)
})

afterAll(async () => {
  await databases.close()
  await database.drop()
})

/** An id that ends with this number. */
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

function tableOf(entity: string): Table {
  const table = TABLES.find((each) => each.entity === entity)
  if (table === undefined) throw new Error(`no table ${entity}`)
  return table
}

async function read(entity: string, query: RowsQuery = ALL): Promise<RowsPage> {
  const page = await readRows(databases, database.name, tableOf(entity), query)
  if (page === undefined) throw new Error('no such column')
  return page
}

test('rows have all attributes, also those that only hooks see, and short values', async () => {
  await database.sql`
    INSERT INTO "order" VALUES (${idOf(1)}, ${idOf(8)}, ${idOf(9)}, 12.5, ${'é'.repeat(400)}, 'hidden')`
  await database.sql`
    INSERT INTO page VALUES (${idOf(2)}, ${idOf(1)}, decode(repeat('00', 5000), 'hex'), '2026-01-01 10:00+02')`
  expect(await read('Order')).toEqual({
    columns: [
      { name: 'id', type: 'uuid' },
      { name: '_owner', type: 'uuid' },
      { name: 'customer', type: 'uuid' },
      { name: 'price', type: 'numeric(38,2)' },
      { name: 'note', type: 'text' },
      { name: 'secret', type: 'text' },
    ],
    rows: [[idOf(1), idOf(8), idOf(9), '12.50', 'é'.repeat(301), 'hidden']],
    hasMore: false,
  })
  expect((await read('Order.Page')).rows).toEqual([[idOf(2), idOf(1), '5000', '2026-01-01 08:00:00+00']])
})

test('pages follow each other, and a filter selects an id in a column', async () => {
  await database.sql`TRUNCATE "order" CASCADE`
  for (let number = 1; number <= 120; number++)
    await database.sql`
      INSERT INTO "order" VALUES (${idOf(number)}, ${idOf(900 + (number % 2))}, ${idOf(9)}, 1, NULL, '')`
  const found: (string | null | undefined)[] = []
  for (let before: string | undefined; ; ) {
    const page = await read('Order', { filter: undefined, before })
    found.push(...page.rows.map(([id]) => id))
    if (!page.hasMore) break
    before = page.rows.at(-1)?.[0] ?? undefined
  }
  expect(found).toEqual(Array.from({ length: 120 }, (_, index) => idOf(120 - index)))

  const filter = { column: '_owner', id: idOf(901) }
  const owned = await read('Order', { filter, before: idOf(51) })
  expect(owned.rows.map(([id]) => id)).toEqual(Array.from({ length: 25 }, (_, index) => idOf(49 - 2 * index)))
  expect(
    (await read('Order', { filter: { column: 'id', id: idOf(7) }, before: undefined })).rows,
  ).toHaveLength(1)
  // Only columns of ids.
  for (const column of ['price', 'password_hash', 'none"'])
    expect(
      await readRows(databases, database.name, tableOf('Order'), {
        filter: { column, id: idOf(7) },
        before: undefined,
      }),
    ).toBeUndefined()
})

test('accounts are shown without the hash of their password', async () => {
  await database.sql`INSERT INTO auth VALUES (${idOf(1)}, 'a@example.com', ${'x'.repeat(60)}, '{agent}')`
  const { columns, rows } = await read('Auth')
  expect(columns.map(({ name }) => name)).toEqual(['id', 'email', 'roles'])
  expect(rows).toEqual([[idOf(1), 'a@example.com', '{agent}']])
})

test('jobs are shown with all their columns, and in the order of their numbers', async () => {
  const payload = '{"text":"x"}'
  await database.sql`
    INSERT INTO _job (name, payload, run_at, subject)
      SELECT 'remind', ${payload}::text::json, '2026-01-01 10:00+02', ${idOf(7)} FROM generate_series(1, 60)`
  const first = await read('Order.job')
  expect(first.columns.map(({ name }) => name)).toEqual([
    'id',
    'name',
    'payload',
    'key',
    'subject',
    'schedule',
    'run_at',
    'attempt',
    'error',
    'dead_at',
  ])
  const at = '2026-01-01 08:00:00+00'
  const row = (id: string) => [id, 'remind', payload, null, idOf(7), null, at, '0', null, null]
  expect(first.rows).toEqual(Array.from({ length: 50 }, (_, index) => row(String(60 - index))))
  expect(first.hasMore).toBe(true)
  // As numbers: 9 comes before 11.
  const next = await read('Order.job', { filter: { column: 'subject', id: idOf(7) }, before: '11' })
  expect(next.rows.map(([id]) => id)).toEqual(Array.from({ length: 10 }, (_, index) => String(10 - index)))
  expect(next.hasMore).toBe(false)
  // The id of an entity is none of a job, and the reverse.
  for (const [entity, before] of [
    ['Order.job', idOf(7)],
    ['Order', '11'],
  ] as const)
    expect(
      await readRows(databases, database.name, tableOf(entity), { filter: undefined, before }),
    ).toBeUndefined()
})

test('reading changes nothing', async () => {
  const write = 'WITH gone AS (DELETE FROM "order" RETURNING "id") SELECT "id"::text FROM gone'
  await expect(databases.read(database.name, write, [])).rejects.toThrow('read-only transaction')
})
