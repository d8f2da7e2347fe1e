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
