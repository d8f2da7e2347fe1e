import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyMigrations } from '../../../templates/typescript/lib/migrate.ts'
import { freshDatabase } from '../../postgres.ts'
import { migrationsOf } from './changes.ts'

test('a combination goes before the new code starts, which no longer knows one of its attributes', async () => {
  const [initial = [], added = []] = migrationsOf(['a: int; b: int; #unique[a, b];', 'a: int;'])
  const database = await freshDatabase()
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  const migrate = async (files: typeof initial): Promise<void> => {
    for (const { name, content } of files) await writeFile(path.join(directory, name), content)
    await applyMigrations({ connection: { connectionString: database.url }, directory })
  }
  try {
    const { sql } = database
    await migrate(initial)
    await sql`INSERT INTO home SELECT uuidv7(), uuidv7(), a, 5 FROM (VALUES (1), (2)) AS given (a)`
    await migrate(added)
    await sql`UPDATE home SET a = 3`
    expect(await sql`SELECT a, b FROM home`).toEqual([
      { a: 3, b: 5 },
      { a: 3, b: 5 },
    ])
  } finally {
    await rm(directory, { recursive: true })
    await database.drop()
  }
})

test('a combination with a new attribute locks its table before the new code starts, and for a moment after', () => {
  const [, added = []] = migrationsOf(['a: int;', 'a: int; b: int; #unique[a, b];'])
  expect(
    added.map(({ name, locks = [] }) => [name.split('.')[1], ...locks]).filter(([, lock]) => lock),
  ).toEqual([
    [
      'expand',
      'Locks home against reads and writes while its rows are checked: about 2 s for 1,000,000 rows.',
    ],
  ])
})
