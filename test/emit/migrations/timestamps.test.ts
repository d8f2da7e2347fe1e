import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareSchemas } from '../../../src/emit/migrations/compare.ts'
import { applyMigrations } from '../../../templates/typescript/lib/migrate.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import { databaseOf, migrationsOf } from './changes.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase()
})

afterAll(() => database?.drop())

interface Row {
  readonly created: string
  readonly updated: string
}

async function row(): Promise<Row> {
  const [found] = await database.sql<Row[]>`
    SELECT _created_at::text AS created, _updated_at::text AS updated FROM home`
  if (found === undefined) throw new Error('No row')
  return found
}

test('existing rows get the time in their id, a rename keeps both times, and user code sets them', async () => {
  const { sql, url } = database
  const [initial = [], added = [], renamed = []] = migrationsOf([
    'rate: float;',
    'rate: float; #timestamps;',
    'price: float @was(rate); #timestamps;',
  ])
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  const migrate = async (files: typeof initial): Promise<void> => {
    for (const { name, content } of files) await writeFile(path.join(directory, name), content)
    await applyMigrations({ connection: { connectionString: url }, directory, all: true })
  }
  try {
    await migrate(initial)
    // 2020-01-01T00:00:00Z
    await sql`INSERT INTO home VALUES ('016f5e66-e800-7000-8000-000000000001', gen_random_uuid(), 1)`
    await migrate(added)
    const { created, updated } = await row()
    expect(created).toMatch(/^2020-01-01 00:00:00/)
    expect(Date.parse(updated)).toBeGreaterThan(Date.now() - 600_000)

    await migrate(renamed)
    expect(await row()).toEqual({ created, updated })

    await sql`UPDATE home SET price = 2`
    const changed = await row()
    expect(changed.created).toBe(created)
    expect(changed.updated > updated).toBe(true)
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('removing #timestamps is named as a loss', () => {
  const [before, after] = [databaseOf('name: string; #timestamps;'), databaseOf('name: string;')]
  const changes = compareSchemas(before.tables, after.tables)
  expect(changes.flatMap(({ losses = [] }) => losses)).toEqual(['Home.createdAt', 'Home.updatedAt'])
})

test('existing rows get a version, and #versioned counts changes of code that does not know it', async () => {
  const other = await freshDatabase()
  const { sql, url } = other
  const [initial = [], added = [], removed = []] = migrationsOf([
    'rate: float;',
    'rate: float; #versioned;',
    'rate: float;',
  ])
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  const migrate = async (files: typeof initial, all: boolean): Promise<void> => {
    for (const { name, content } of files) await writeFile(path.join(directory, name), content)
    await applyMigrations({ connection: { connectionString: url }, directory, all })
  }
  const versions = async (): Promise<number[]> => {
    const rows = await sql<{ version: string }[]>`SELECT _version AS version FROM home ORDER BY id`
    return rows.map(({ version }) => Number(version))
  }
  try {
    await migrate(initial, true)
    await sql`INSERT INTO home VALUES ('00000000-0000-7000-8000-000000000001', gen_random_uuid(), 1)`
    await migrate(added, true)
    await sql`INSERT INTO home (id, _owner, rate) VALUES ('00000000-0000-7000-8000-000000000002', gen_random_uuid(), 1)`
    expect(await versions()).toEqual([1, 1])
    await sql`UPDATE home SET rate = 2 WHERE id = '00000000-0000-7000-8000-000000000001'`
    expect(await versions()).toEqual([2, 1])
    // The previous code still reads it.
    await migrate(removed, false)
    await sql`UPDATE home SET rate = 3`
    expect(await versions()).toEqual([3, 2])
    await migrate(removed, true)
    await sql`UPDATE home SET rate = 4`
    await expect(versions()).rejects.toThrow('_version')
  } finally {
    await rm(directory, { recursive: true })
    await other.drop()
  }
})

test('removing #versioned loses nothing', () => {
  const [before, after] = [databaseOf('name: string; #versioned;'), databaseOf('name: string;')]
  const changes = compareSchemas(before.tables, after.tables)
  expect(changes.flatMap(({ losses = [] }) => losses)).toEqual([])
})
