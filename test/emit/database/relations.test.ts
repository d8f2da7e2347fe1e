import { randomBytes, randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterEach, expect, test } from 'vitest'
import { databases } from '../../../src/emit/database/databases.ts'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import { platformOf } from '../platform.ts'

let database: TestDatabase | undefined
afterEach(async () => {
  await database?.drop()
  database = undefined
})

/** Makes the database of one service of a definition. */
async function create(definition: string, directory: string): Promise<postgres.Sql> {
  const tables =
    databases(platformOf(definition)).find((found) => found.directory === directory)?.tables ?? []
  database = await freshDatabase(schemaScript('', tables))
  return database.sql
}

/** `done`, or the SQLSTATE and the constraint. */
async function outcome(query: PromiseLike<unknown>): Promise<string> {
  return Promise.resolve(query).then(
    () => 'done',
    (error: { code: string; constraint_name?: string }) =>
      `${error.code} ${error.constraint_name ?? ''}`.trim(),
  )
}

const UNIQUE = `
P: project {}
Thing: service {
  name: string @unique;
  code: string(672) @unique;
  longer: string(673) @unique;
  image: data @unique;
  icon: data(2688) @unique;
  count: int @unique;
}`

function thing(changes: Record<string, unknown> = {}) {
  const bytes = randomBytes(16)
  const text = bytes.toString('hex')
  const count = bytes.readInt32LE()
  return {
    id: randomUUID(),
    name: text,
    code: text,
    longer: text,
    image: bytes,
    icon: bytes,
    count,
    ...changes,
  }
}

test('unique values of any length', async () => {
  const sql = await create(UNIQUE, 'thing-db')
  const definitions = await sql<{ conname: string; contype: string }[]>`
    SELECT conname, contype FROM pg_constraint WHERE conrelid = 'thing'::regclass AND contype IN ('u', 'x') ORDER BY 1`
  expect(Object.fromEntries(definitions.map(({ conname, contype }) => [conname, contype]))).toEqual({
    thing__code__key: 'u',
    thing__count__key: 'u',
    thing__icon__key: 'u',
    thing__image__key: 'x',
    thing__longer__key: 'x',
    thing__name__key: 'x',
  })
  const insert = (row: Record<string, unknown>) => outcome(sql`INSERT INTO thing ${sql(row)}`)
  // Characters of four bytes that do not compress.
  const characters = (count: number) =>
    Array.from({ length: count }, () =>
      String.fromCodePoint(0x10000 + (randomBytes(4).readUInt32LE() % 0xe0000)),
    ).join('')
  const long = thing({
    name: characters(100_000),
    code: characters(672),
    longer: characters(673),
    image: randomBytes(1_000_000),
    icon: randomBytes(2688),
  })
  expect(await insert(long)).toBe('done')
  expect(await insert(thing())).toBe('done')
  for (const key of ['name', 'longer', 'image'] as const)
    expect(await insert(thing({ [key]: long[key] }))).toBe(`23P01 thing__${key}__key`)
  for (const key of ['code', 'icon', 'count'] as const)
    expect(await insert(thing({ [key]: long[key] }))).toBe(`23505 thing__${key}__key`)
  expect(await insert({ ...thing(), id: long.id })).toBe('23505 thing__pkey')
})

test.each(['name', 'count'] as const)('200 parallel rows with one %s leave exactly one', async (key) => {
  await create(UNIQUE, 'thing-db')
  const sql = postgres(database?.url ?? '', { max: 20, onnotice: () => {} })
  const same = thing()[key]
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, () => outcome(sql`INSERT INTO thing ${sql(thing({ [key]: same }))}`)),
  )
  expect(outcomes.filter((found) => found === 'done')).toHaveLength(1)
  expect(new Set(outcomes)).toEqual(
    new Set(['done', `${key === 'name' ? '23P01' : '23505'} thing__${key}__key`]),
  )
  await sql.end()
})
