import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { planMigrations } from '../../../src/emit/migrations/plan.ts'
import type { MigrationFolder } from '../../../src/migration/folder.ts'
import { type Change, directStatements } from '../../../src/emit/migrations/change.ts'
import { compareSchemas } from '../../../src/emit/migrations/compare.ts'
import type { BackfillOf } from '../../../src/emit/migrations/nullability.ts'
import { applyMigrations } from '../../../templates/typescript/lib/migrate.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import { databaseOf } from './changes.ts'
import { reset } from './schema-objects.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const ids = [1, 2].map((n) => `00000000-0000-7000-8000-00000000000${n}`)

/** The rows after a change of the definition, with `dev` and with migrations, or the message of the failure. */
async function changed(
  [before, after]: readonly [string, string],
  values: readonly string[],
  backfillOf?: BackfillOf,
): Promise<unknown[]> {
  const [old, current] = [databaseOf(before), databaseOf(after)]
  const { sql, url } = database
  const insertions = values.map(
    (value, index) => `INSERT INTO home VALUES ('${ids[index]}', '${ids[0]}'${value});`,
  )
  const rows = async () =>
    (await sql`SELECT to_jsonb(home) - 'id' - '_owner' AS row FROM home ORDER BY id`).map(({ row }) => row)
  const empty: MigrationFolder = { path: 'home-db/migrations', files: [], schema: undefined }
  const first = planMigrations(old, empty)
  if (typeof first === 'string') throw new Error(first)
  const plan = planMigrations(current, { ...empty, files: first.added, schema: first.schema }, backfillOf)
  if (typeof plan === 'string') throw new Error(plan)
  const needsUser = ({ missing, problem, losses, isBreaking }: Change) =>
    missing ?? problem ?? losses ?? isBreaking
  expect(plan.changes.filter(needsUser)).toEqual([])
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  try {
    await reset(sql, [schemaScript(old.tables), ...insertions].join('\n'))
    const direct = await sql
      .begin((transaction) => transaction.unsafe(directStatements(plan.changes).join('\n')))
      .then(rows, messageOf)
    await reset(sql, '')
    const write = (files: typeof plan.added) =>
      Promise.all(files.map(({ name, content }) => writeFile(path.join(directory, name), content)))
    const apply = () => applyMigrations({ connection: { connectionString: url }, directory, all: true })
    await write(first.added)
    await apply()
    await sql.unsafe(insertions.join('\n'))
    await write(plan.added)
    const migrated = await apply().then(rows, messageOf)
    return [direct, migrated]
  } finally {
    await rm(directory, { recursive: true })
  }
}

function messageOf(error: unknown): string {
  return /Rows of .*$/m.exec(String(error))?.[0] ?? String(error)
}

const twice = (value: unknown) => [value, value]

test('an optional attribute becomes required: rows without a value are named, and nothing changes', async () => {
  const failure = expect.stringContaining(`Rows of home have no value for a (1): ${ids[1]}`)
  expect(await changed(['a: int?;', 'a: int;'], [', 1', ', NULL'])).toEqual(twice(failure))
  expect(await changed(['a: int?;', 'a: int;'], [', 1', ', 2'])).toEqual(twice([{ a: 1 }, { a: 2 }]))
})

test('an optional attribute becomes required: rows without a value get the one that is given, or the default', async () => {
  const rows = twice([{ a: 1 }, { a: 5 }])
  expect(await changed(['a: int?;', 'a: int;'], [', 1', ', NULL'], () => '5')).toEqual(rows)
  expect(await changed(['a: int?;', 'a: int = 5;'], [', 1', ', NULL'])).toEqual(rows)
})

test('existing rows get the default of a new attribute, and nothing of an optional one', async () => {
  const after =
    'n: int; a: int = 5; b: string(9)? = "x"; c: string? @unique; d: string(2)? = "y" @unique; e: int?;'
  const row = { a: 5, b: 'x', c: null, d: null, e: null }
  expect(await changed(['n: int;', after], [', 1', ', 2'])).toEqual(
    twice([
      { n: 1, ...row },
      { n: 2, ...row },
    ]),
  )
})

test('a changed default changes no row and needs no migration', async () => {
  expect(await changed(['a: int = 3;', 'a: int = 4;'], [', 1', ', 2'])).toEqual(twice([{ a: 1 }, { a: 2 }]))
})

test('an optional attribute keeps its values and its rows without one when it is renamed', async () => {
  const rows = twice([{ b: 1 }, { b: null }])
  expect(await changed(['a: int?;', 'b: int? @was(a);'], [', 1', ', NULL'])).toEqual(rows)
})

test('an optional attribute becomes required and is renamed', async () => {
  const renamed = ['a: int?;', 'b: int @was(a);'] as const
  const outcomes = await changed(renamed, [', 1', ', NULL'])
  // The files count before they rename, `dev` counts after it.
  expect(outcomes).toEqual(
    ['b', 'a'].map((name) =>
      expect.stringContaining(`Rows of home have no value for ${name} (1): ${ids[1]}`),
    ),
  )
  expect(await changed(renamed, [', 1', ', 2'])).toEqual(twice([{ b: 1 }, { b: 2 }]))
  expect(await changed(renamed, [', 1', ', NULL'], () => '5')).toEqual(twice([{ b: 1 }, { b: 5 }]))
})

test('rows without a value get one that only the new bounds allow', async () => {
  const outcome = await changed(['a: int(5)?;', 'a: int(20) = 12;'], [', 1', ', NULL'])
  expect(outcome).toEqual(twice([{ a: 1 }, { a: 12 }]))
  expect(await changed(['a: int(5)?;', 'a: int(20, -5) = 12;'], [', 1', ', NULL'])).toEqual(
    twice([{ a: 1 }, { a: 12 }]),
  )
})

test('rows without a value cannot share one that has to be unique', async () => {
  expect(await changed(['a: int? @unique;', 'a: int = 5 @unique;'], [', NULL', ', NULL'])).toEqual(
    twice(expect.stringContaining(`Rows of home have no value for a (2): ${ids.join(', ')}`)),
  )
  expect(
    await changed(['a: int?; b: int;', 'a: int = 5; b: int; #unique[a, b];'], [', NULL, 1', ', NULL, 1']),
  ).toEqual(twice(expect.stringContaining('Rows of home share their a, b with another row (2)')))
  const existing = ['a: int?; b: int; #unique[a, b];', 'a: int = 5; b: int; #unique[a, b];'] as const
  const [, migrated] = await changed(existing, [', NULL, 1', ', 5, 1'])
  expect(migrated).toContain('Rows of home share their a, b with another row (2)')
  expect(await changed(existing, [', NULL, 1', ', 5, 2'])).toEqual(
    twice([
      { a: 5, b: 1 },
      { a: 5, b: 2 },
    ]),
  )
  const both = ['a: int?; b: int?;', 'c: int = 5 @was(a); b: int = 2; #unique[c, b];'] as const
  const [, renamed] = await changed(both, [', NULL, NULL', ', 5, 2'])
  expect(renamed).toContain('with another row (2)')
})

test('rows without a value get one in batches, without a lock on their table', () => {
  const [old, current] = [
    databaseOf('a: int?; c: int;'),
    databaseOf('a: int = 5; b: int = 1; c: int; #unique[a, c];'),
  ]
  const phases = compareSchemas(old.tables, current.tables).map(({ expand = {} }) => expand)
  const updates = (...lists: readonly ('guards' | 'start' | 'outside')[]) =>
    phases
      .flatMap((phase) => lists.flatMap((list) => phase[list] ?? []))
      .filter(({ sql }) => /UPDATE /.test(sql))
  expect(updates('guards', 'start')).toEqual([])
  expect(updates('outside')).toEqual([
    expect.objectContaining({ lockNote: 'Locks only the rows that it changes, for less than a second.' }),
  ])
})
