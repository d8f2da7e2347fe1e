import { eq, getTableColumns } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { boolean, date, doublePrecision, integer, pgTable, text, time, uuid } from 'drizzle-orm/pg-core'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { datetime } from '../../../templates/typescript/lib/queries.ts'
import { oneBatch } from '../../../templates/typescript/lib/lists.ts'
import { type Query, search } from '../../../templates/typescript/lib/search.ts'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { serviceTables } from '../../../src/emit/database/service-tables.ts'
import { freshDatabase } from '../../postgres.ts'
import { platformOf } from '../platform.ts'

const LISTS =
  '#enumerable(filter: [kind, rank, weight, open, owner, due, day, at], sort: [kind, rank, weight, due, day, at]);'
const ATTRIBUTES = `kind: string(20); rank: int; weight: float; open: bool; owner: Host; due: datetime?; day: date; at: time; ${LISTS}`
const definition = (access: string) => `
P: project { #authMethod(email); #roles[agent]; }
Host: service { #auth; }
Row: service { ${ATTRIBUTES} ${access} Entry: struct { ${ATTRIBUTES} } }`

const FILTERS: readonly (readonly [query: Query & Record<string, unknown>, column: string])[] = [
  [{ kind: 'k1' }, 'kind'],
  [{ 'kind[in]': ['k1'] }, 'kind'],
  [{ rank: 7 }, 'rank'],
  [{ 'rank[gte]': 99_990 }, 'rank'],
  [{ weight: 3 }, 'weight'],
  [{ open: true }, 'open'],
  [{ owner: '018f6d1e-0000-7000-8000-000000000007' }, 'owner'],
  [{ 'due[lt]': '2026-01-01T00:00:30Z' }, 'due'],
  [{ due: null }, 'due'],
  [{ day: '2026-01-05' }, 'day'],
  [{ at: '00:01:00' }, 'at'],
]
/** Whether an index has the matches in the order that is asked for. Others are read from several indexes. */
const hasIdsInOrder = (query: object) =>
  'sort' in query || Object.entries(query).every(([name, value]) => value !== null && !name.includes('['))

/** Several filters at once, and filters with an order. */
const COMBINATIONS: readonly (readonly [
  query: Query & Record<string, unknown>,
  columns: readonly string[],
])[] = [
  [{ kind: 'k1', open: true }, ['kind', 'open']],
  [{ rank: 7, day: '2026-01-05' }, ['rank', 'day']],
  [{ 'rank[gte]': 99_990, kind: 'k1' }, ['rank', 'kind']],
  [{ kind: 'k1', sort: '-rank' }, ['kind', 'rank']],
  [{ open: true, sort: 'due' }, ['open', 'due']],
]
const SORTS = ['kind', 'rank', 'weight', 'due', 'day', 'at']
const ROWS = 20_000
const OWNER = '018f6d1e-0000-7000-8000-000000000001'

const columnsOf = {
  id: uuid('id').primaryKey(),
  kind: text('kind').notNull(),
  rank: integer('rank').notNull(),
  weight: doublePrecision('weight').notNull(),
  open: boolean('open').notNull(),
  owner: uuid('owner').notNull(),
  due: datetime('due'),
  day: date('day').notNull(),
  at: time('at').notNull(),
}

describe.each<[access: string, table: 'row' | 'entry', column: '_owner' | '_parent' | undefined]>([
  ['#readable(by: this);', 'row', '_owner'],
  ['#readable(by: all);', 'row', undefined],
  ['#readable(by: [this, agent]);', 'row', '_owner'],
  ['#readable(by: [this, agent]);', 'row', undefined],
  ['#readable(by: agent); #writable(by: agent);', 'row', undefined],
  ['#readable(by: this);', 'entry', '_parent'],
])('%s the list of %s, limited by %s', (access, name, column) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let client: Client

  beforeAll(async () => {
    database = await freshDatabase()
    const platform = platformOf(definition(access))
    const [, service] = platform.services
    if (service === undefined) throw new Error('No service')
    const { sql } = database
    await sql.unsafe(schemaScript(serviceTables(platform, service)))
    const values = `'k' || n % 500, n, n, n % 300 = 0, ('018f6d1e-0000-7000-8000-' || lpad((n % 900)::text, 12, '0'))::uuid,
      case when n % 200 > 0 then '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second' end,
      '2026-01-01'::date + n % 700, '00:00:00'::time + (n % 900) * interval '1 minute'`
    const columns = 'kind, rank, weight, open, owner, due, day, at'
    await sql.unsafe(
      `insert into "row" (id, _owner, ${columns}) select uuidv7(), '${OWNER}', ${values} from generate_series(1, ${ROWS}) n`,
    )
    await sql.unsafe(
      `insert into entry (id, _parent, ${columns}) select uuidv7(), (select id from "row" limit 1), ${values} from generate_series(1, ${ROWS}) n`,
    )
    await sql.unsafe('vacuum analyze "row"')
    await sql.unsafe('vacuum analyze entry')
    client = new Client({ connectionString: database.url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await database.drop()
  })

  /** The plans of the statements that read a page. */
  async function plans(query: Query): Promise<string[]> {
    const db = drizzle({ client })
    const table = pgTable(name, { ...columnsOf, limiting: uuid(column ?? 'id') })
    const { limiting: _limiting, ...columns } = getTableColumns(table)
    const [first] = (
      await client.query<{ limiting: string }>(`select ${column ?? 'id'} as limiting from "${name}" limit 1`)
    ).rows
    const limit = column === undefined ? undefined : eq(table.limiting, first?.limiting ?? '')
    const found: string[] = []
    await search(query, limit, {
      columns,
      rows: async (slice) => {
        const select = db
          .select(columns)
          .from(table)
          .where(slice.where)
          .orderBy(...slice.order)
          .limit(slice.limit)
          .offset(slice.offset ?? 0)
        const { sql, params } = select.toSQL()
        const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`explain (format json) ${sql}`, params)
        found.push(JSON.stringify(rows[0]?.['QUERY PLAN']))
        return select
      },
      batches: oneBatch,
      count: (where) => db.$count(table, where),
    })
    return found
  }

  /** With the column of the access, unless all rows are also read without it. */
  const indexOf = (attribute: string) => {
    const limits = access.includes('[')
      ? `(${name}___owner|${name})`
      : column === undefined
        ? name
        : `${name}__${column}`
    return new RegExp(`"${limits}__${attribute}__id__(idx|desc)"`)
  }

  test.each(FILTERS)('a filter %o uses its index', async (query, attribute) => {
    for (const plan of await plans({ ...query, limit: 20 })) {
      if (hasIdsInOrder(query)) expect(plan).toMatch(indexOf(attribute))
      expect(plan).not.toContain('Seq Scan')
    }
  })

  test.each(COMBINATIONS)('the combination %o uses one of their indexes', async (query, attributes) => {
    const indexes = attributes.map((attribute) => indexOf(attribute))
    for (const plan of await plans({ ...query, limit: 20 })) {
      if (hasIdsInOrder(query))
        expect(
          indexes.some((index) => index.test(plan)),
          plan,
        ).toBe(true)
      expect(plan).not.toContain('Seq Scan')
    }
  })

  test.each(SORTS)('the order by %s uses its index, on each page', async (attribute) => {
    for (const sort of [attribute, `-${attribute}`]) {
      const page = await plans({ sort, limit: 20 })
      expect(page).toHaveLength(1)
      const value = {
        kind: 'k3',
        rank: 500,
        weight: 500,
        due: '2026-01-01T01:00:00Z',
        day: '2026-03-01',
        at: '05:00:00',
      }
      const cursor = [sort, value[attribute as keyof typeof value], '018f6d1e-0000-7000-8000-000000000001']
      const after = Buffer.from(JSON.stringify(cursor)).toString('base64url')
      const next = await plans({ sort, limit: 20, after })
      for (const plan of [...page, ...next]) {
        expect(plan).toMatch(indexOf(attribute))
        expect(plan).not.toContain('Seq Scan')
      }
      // The rows with the value of the cursor may be few enough to be sorted.
      for (const plan of [...page, ...next.slice(1)]) expect(plan).not.toContain('"Node Type":"Sort"')
    }
  })
})

describe('a filter whose matches come late in the order of ids', () => {
  const MANY = 200_000
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let client: Client

  beforeAll(async () => {
    database = await freshDatabase()
    const platform = platformOf(
      'P: project {} Row: service { rank: int; done: date?; #enumerable(filter: [rank, done]); }',
    )
    const [service] = platform.services
    if (service === undefined) throw new Error('No service')
    const { sql } = database
    await sql.unsafe(schemaScript(serviceTables(platform, service)))
    await sql.unsafe(`INSERT INTO "row" (id, rank, done)
      SELECT uuidv7(), n, CASE WHEN n <= ${MANY - 50} THEN '2026-01-01'::date END FROM generate_series(1, ${MANY}) n`)
    await sql.unsafe('VACUUM ANALYZE "row"')
    client = new Client({ connectionString: database.url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await database.drop()
  })

  interface Plan {
    readonly Plans?: readonly Plan[]
    readonly 'Actual Rows': number
    readonly 'Rows Removed by Filter'?: number
  }

  /** The rows that scans have read, of the table or an index. */
  const rowsRead = ({
    Plans = [],
    'Actual Rows': actual,
    'Rows Removed by Filter': removed = 0,
  }: Plan): number =>
    Plans.length === 0 ? actual + removed : Plans.reduce((sum, plan) => sum + rowsRead(plan), 0)

  test.each<[query: Query & Record<string, unknown>, first: number, most: number]>([
    [{ 'rank[gte]': MANY - 99, limit: 20 }, MANY - 99, 1500],
    [{ 'rank[in]': [MANY - 5, MANY - 3], limit: 20 }, MANY - 5, 1500],
    [{ done: null, limit: 20 }, MANY - 49, 1500],
    [{ 'rank[gte]': 0, limit: 20 }, 1, 500],
    [{ 'rank[lt]': 50, limit: 20 }, 1, 500],
    [{ 'rank[gt]': MANY * 0.9, limit: 20 }, MANY * 0.9 + 1, 120_000],
  ])('%o reads few rows', async (query, first, most) => {
    const db = drizzle({ client })
    const table = pgTable('row', {
      id: uuid('id').primaryKey(),
      rank: integer('rank').notNull(),
      done: date('done'),
    })
    let read = 0
    const list = await search(query, undefined, {
      columns: getTableColumns(table),
      rows: async ({ where, order, limit, offset = 0 }) => {
        const select = db
          .select()
          .from(table)
          .where(where)
          .orderBy(...order)
          .limit(limit)
          .offset(offset)
        const { sql, params } = select.toSQL()
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, format json) ${sql}`,
          params,
        )
        for (const {
          'QUERY PLAN': [{ Plan: plan }],
        } of rows)
          read += rowsRead(plan)
        return select
      },
      batches: oneBatch,
      count: (where) => db.$count(table, where),
    })
    expect(list.first[0]?.rank).toBe(first)
    const ids = list.first.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect(read).toBeLessThan(most)
  })
})
