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
  database = await freshDatabase(schemaScript(tables))
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

test('@unique values of any length', async () => {
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

test.each(['name', 'image', 'count'] as const)(
  '200 parallel rows with one %s leave exactly one',
  async (key) => {
    await create(UNIQUE, 'thing-db')
    const sql = postgres(database?.url ?? '', { max: 20, onnotice: () => {} })
    const taken = `${key === 'count' ? '23505' : '23P01'} thing__${key}__key`
    for (let round = 0; round < 10; round++) {
      const same = thing()[key]
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, () => outcome(sql`INSERT INTO thing ${sql(thing({ [key]: same }))}`)),
      )
      expect(outcomes.filter((found) => found === 'done')).toHaveLength(1)
      expect(new Set(outcomes)).toEqual(new Set(['done', taken]))
    }
    await sql.end()
  },
)

const SIBLINGS = `
P: project { #authMethod(email); }
Member: service { #auth; }
Home: service {
  Photo: struct { caption: string; next: Photo @serverSet; }
  Tag: struct { photo: Photo; other: Tag @server; home: Home; }
  #enumerable;
}`

test('entries are deleted with their parent, and siblings have the same one', async () => {
  const sql = await create(SIBLINGS, 'home-db')
  const [owner, home, other, photo, tag] = Array.from({ length: 5 }, () => randomUUID())
  const insert = (table: string, row: Record<string, unknown>) =>
    outcome(sql`INSERT INTO ${sql(table)} ${sql(row)}`)
  expect(await insert('home', { id: home })).toMatch(/^23502/)
  expect(await insert('home', { id: home, _owner: owner })).toBe('done')
  expect(await insert('home', { id: other, _owner: owner })).toBe('done')
  const first = { id: photo, _parent: home, caption: '', next: photo }
  expect(await insert('photo', { ...first, _parent: randomUUID() })).toBe('23503 photo___parent__fkey')
  expect(await insert('photo', { ...first, next: randomUUID() })).toBe('23503 photo__next__fkey')
  expect(await insert('photo', first)).toBe('done')
  const reference = { id: tag, _parent: home, photo, other: tag, home: randomUUID() }
  expect(await insert('tag', { ...reference, _parent: other })).toBe('23503 tag__photo__fkey')
  expect(await insert('tag', reference)).toBe('done')
  expect(await outcome(sql`DELETE FROM photo`)).toBe('23503 tag__photo__fkey')
  expect(await outcome(sql`DELETE FROM home WHERE id = ${home ?? ''}`)).toBe('done')
  expect(await sql`SELECT id FROM photo UNION SELECT id FROM tag`).toEqual([])
})

test('the columns that lists and deletions use have an index', async () => {
  const sql = await create(SIBLINGS, 'home-db')
  const indexes = await sql<
    { indexdef: string }[]
  >`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'`
  const columns = indexes
    .map(({ indexdef }) => indexdef.replace(/.* ON public\.(\w+) USING btree /, '$1 '))
    .sort()
  expect(columns).toEqual([
    'home (_owner, id)',
    'home (id)',
    'photo (_parent, id)',
    'photo (id)',
    'photo (id, _parent)',
    'photo (next)',
    'tag (_parent, id)',
    'tag (id)',
    'tag (id, _parent)',
    'tag (other)',
    'tag (photo)',
  ])
})

test('an #auth service has no owner column', async () => {
  const sql = await create(SIBLINGS, 'member-db')
  const columns = await sql`SELECT column_name FROM information_schema.columns WHERE table_name = 'member'`
  expect(columns.map(({ column_name: name }) => String(name))).toEqual(['id'])
})

test('emails are unique regardless of case', async () => {
  const sql = await create(SIBLINGS, 'auth-db')
  const insert = (email: string, hash = 'x'.repeat(60)) =>
    outcome(sql`INSERT INTO auth ${sql({ id: randomUUID(), email, password_hash: hash })}`)
  expect(await insert('Ada@example.org')).toBe('done')
  expect(await insert('aDA@EXAMPLE.org')).toBe('23505 auth__email__key')
  expect(await insert('x'.repeat(254))).toBe('done')
  expect(await insert('y'.repeat(255))).toBe('23514 auth__email__check')
  expect(await insert('eve@example.org', 'password')).toBe('23514 auth__password_hash__check')
})
