import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../../src/emit/database/databases.ts'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import type { Column } from '../../../src/emit/database/table.ts'
import type { MigrationFile } from '../../../src/migration/migration-file.ts'
import { directStatements } from '../../../src/emit/migrations/change.ts'
import { compareSchemas } from '../../../src/emit/migrations/compare.ts'
import { applyMigrations } from '../../../templates/typescript/lib/migrate.ts'
import { freshDatabase } from '../../postgres.ts'
import { backfillOf, databaseOf, migrationsOf, PAIRS } from './changes.ts'
import { reset, schemaObjects } from './schema-objects.ts'

const ROW = '00000000-0000-7000-8000-000000000001'

/** Rows for a table with values that all definitions above allow. */
function rows({ tables }: Database): string {
  const [table] = tables
  const values = (n: number): string =>
    (table?.columns ?? [])
      .map(({ type }) => {
        if (type === 'uuid') return `'00000000-0000-7000-8000-00000000000${n}'`
        if (type === 'timestamptz') return 'now()'
        return type === 'text' ? `'${n}'` : String(n)
      })
      .join(', ')
  return [3, 4, 5].map((n) => `INSERT INTO "${table?.name}" VALUES (${values(n)});`).join('\n')
}

/** The statements of `dev`. */
const directOf = (...tables: Parameters<typeof compareSchemas>): string =>
  directStatements(compareSchemas(...tables)).join('\n')

/** Lets a migration fail that reads all rows of a table that it has locked, unless its header says so. */
function withLockCheck(content: string): string {
  return content.replaceAll(
    /BEGIN\n(?=\s+SELECT count\(\*\).*\n.* FROM ("\w+") WHERE )/g,
    (begin, table: string) =>
      content.includes(`-- Locks ${JSON.parse(table)} against reads and writes `)
        ? begin
        : `${begin}
  IF EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND relation = '${table}'::regclass
    AND mode = 'AccessExclusiveLock') THEN RAISE EXCEPTION 'Unannounced lock of ${table}'; END IF;
`,
  )
}

/** Applies what a generation adds to the migrations of a database. */
async function migrate(url: string, files: readonly MigrationFile[], all = true): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  try {
    for (const { name, content } of files)
      await writeFile(path.join(directory, name), withLockCheck(content).replace('= NULL;', '= id::text;'))
    await applyMigrations({ connection: { connectionString: url }, directory, all })
  } finally {
    await rm(directory, { recursive: true })
  }
}

test('a float of higher precision keeps the digits of its values', async () => {
  const definitions = ['rate: float(precision: 4);', 'rate: float;']
  const [initial = [], added = []] = migrationsOf(definitions)
  const [old, current] = definitions.map(databaseOf)
  const database = await freshDatabase()
  try {
    const { sql, url } = database
    const insert = `INSERT INTO home (id, _owner, rate) VALUES (uuidv7(), uuidv7(), 0.1)`
    await migrate(url, initial)
    await sql.unsafe(insert)
    await migrate(url, [...initial, ...added])
    expect(await sql`SELECT rate FROM home`).toEqual([{ rate: 0.1 }])
    await reset(sql, `${schemaScript(old?.tables ?? [])}\n${insert}`)
    await sql.unsafe(directOf(old?.tables ?? [], current?.tables ?? []))
    expect(await sql`SELECT rate FROM home`).toEqual([{ rate: 0.1 }])
  } finally {
    await database.drop()
  }
})

test.each([
  ['string', 'int', `'N15'`, 'cannot be converted to integer'],
  ['string', 'int', `'015'`, 'change when they are converted'],
  ['string', 'decimal', `'dear'`, 'cannot be converted to numeric(38,2)'],
  ['string', 'datetime', `'soon'`, 'cannot be converted to timestamptz'],
  ['string', 'data', `'\\xzz'`, 'cannot be converted to bytea'],
  ['float', 'int', '1e12', 'cannot be converted to integer'],
  ['float', 'int', '1.5', 'change when they are converted'],
  ['int', 'data', '3', 'change when they are converted'],
  ['int(precision: 8)', 'int', '3000000000', 'cannot be converted to integer'],
])('%s to %s: portico dev names the rows with %s', async (before, after, value, problem) => {
  const [old, current] = [databaseOf(`rate: ${before}?;`), databaseOf(`rate: ${after}?;`)]
  const database = await freshDatabase()
  try {
    const insert = `INSERT INTO home (id, _owner, rate) VALUES ('${ROW}', uuidv7(), ${value}), (uuidv7(), uuidv7(), NULL)`
    await reset(database.sql, `${schemaScript(old.tables)}\n${insert}`)
    const change = database.sql.unsafe(directOf(old.tables, current.tables))
    await expect(change).rejects.toThrow(`Rows of home have values of rate that ${problem} (1): ${ROW}`)
  } finally {
    await database.drop()
  }
})

test.each(PAIRS)(
  '%s: the result is the schema of the definition, with all rows',
  async (_, before, after) => {
    const [old, current] = [databaseOf(before), databaseOf(after)]
    const changes = compareSchemas(old.tables, current.tables, backfillOf)
    expect(changes.filter(({ problem }) => problem)).toEqual([])
    const [initial = [], added = []] = migrationsOf([before, after])
    const database = await freshDatabase()
    try {
      const { sql, url } = database
      const wanted = await reset(sql, schemaScript(current.tables))

      await reset(sql, `${schemaScript(old.tables)}\n${rows(old)}`)
      await sql.begin((transaction) => transaction.unsafe(directStatements(changes).join('\n')))
      expect(await schemaObjects(sql)).toEqual(wanted)
      expect(await sql`SELECT FROM home`).toHaveLength(3)

      await reset(sql, '')
      await migrate(url, initial)
      await sql.unsafe(rows(old))
      await migrate(url, [...initial, ...added])
      expect(await schemaObjects(sql)).toEqual(wanted)
      expect(await sql`SELECT FROM home`).toHaveLength(3)
    } finally {
      await database.drop()
    }
  },
)

test.each([
  ['string(5)', 2],
  ['string(1)', 3],
])(
  'an enum that becomes %s takes the values of both versions once the new one starts',
  async (type, files) => {
    const [initial = [], added = []] = migrationsOf(['size: enum(x, xl);', `size: ${type};`])
    expect(added).toHaveLength(files)
    const database = await freshDatabase()
    const { sql, url } = database
    try {
      const insert = (size: string) =>
        sql`INSERT INTO home (id, _owner, size) VALUES (uuidv7(), uuidv7(), ${size})`
      await migrate(url, initial)
      await insert('x')
      await migrate(url, [...initial, ...added], false)
      await insert('xl')
      await insert('7')
    } finally {
      await database.drop()
    }
  },
)

test('the old values of a changed type stay until the contract phase', async () => {
  const [initial = [], added = []] = migrationsOf(['beds: string(9);', 'beds: int(max: 9);'])
  const database = await freshDatabase()
  const { sql, url } = database
  try {
    await migrate(url, initial)
    await sql.unsafe(rows(databaseOf('beds: string(9);')))
    await migrate(url, [...initial, ...added], false)
    expect(await sql`SELECT beds, home__beds__before FROM home ORDER BY beds LIMIT 1`).toEqual([
      { beds: 3, home__beds__before: '3' },
    ])
    await migrate(url, [...initial, ...added])
    const [row] = await sql`SELECT * FROM home ORDER BY beds LIMIT 1`
    expect(row).toEqual(expect.not.objectContaining({ home__beds__before: '3' }))
    expect(row?.['beds']).toBe(3)
  } finally {
    await database.drop()
  }
})

describe('renamed values of an enum', () => {
  const before = 'state: enum(waiting, 2xl, done) = waiting; #enumerable(filter: [state]); #timestamps;'
  const after =
    'state: enum(pending, large, done) = pending @was(pending: waiting, large: 2xl); #enumerable(filter: [state]); #timestamps;'
  const column =
    databaseOf(after).tables[0]?.columns.find(({ attribute }) => attribute === 'state')?.name ?? ''

  test('the previous code and the new one work with the same rows until the contract phase', async () => {
    const [initial = [], added = []] = migrationsOf([before, after])
    const database = await freshDatabase()
    const { sql, url } = database
    const [old, current] = ['state', column]
    const insert = (name: string, value: string) =>
      sql`INSERT INTO home (id, _owner, ${sql(name)}) VALUES (uuidv7(), uuidv7(), ${value}) RETURNING ${sql(name)} AS value`
    const counts = async (name: string) => {
      const groups = await sql`SELECT ${sql(name)} AS value, count(*)::int FROM home GROUP BY 1 ORDER BY 1`
      return Object.fromEntries(groups.map(({ value, count }) => [value, count]))
    }
    try {
      await migrate(url, initial)
      for (const value of ['waiting', '2xl', 'done']) await insert(old, value)
      const [{ _updated_at: changed } = {}] =
        await sql`SELECT max(_updated_at)::text AS _updated_at FROM home`
      await migrate(url, [...initial, ...added], false)
      expect(await counts(old)).toEqual({ waiting: 1, '2xl': 1, done: 1 })
      expect(await counts(current)).toEqual({ pending: 1, large: 1, done: 1 })
      const [kept] = await sql`SELECT max(_updated_at)::text = ${changed} AS timestamps FROM home`
      expect(kept).toEqual({ timestamps: true })

      // Each stores, filters and updates with its own names.
      expect([...(await insert(old, 'waiting'))]).toEqual([{ value: 'waiting' }])
      expect([...(await insert(current, 'pending'))]).toEqual([{ value: 'pending' }])
      expect(await counts(old)).toEqual({ waiting: 3, '2xl': 1, done: 1 })
      expect(await counts(current)).toEqual({ pending: 3, large: 1, done: 1 })
      expect(
        await sql`UPDATE home SET ${sql(current)} = 'large' WHERE ${sql(current)} = 'done' RETURNING state`,
      ).toEqual([{ state: '2xl' }])
      await sql`UPDATE home SET state = 'done' WHERE state = 'waiting'`
      expect(await counts(current)).toEqual({ large: 2, done: 3 })
      expect(await counts(old)).toEqual({ '2xl': 2, done: 3 })
      for (const value of ['pending', '2xl', 'other'])
        await expect(insert(old, value === '2xl' ? 'large' : value)).rejects.toThrow()
      await expect(insert(current, 'waiting')).rejects.toThrow('check')

      await migrate(url, [...initial, ...added])
      expect(await counts(current)).toEqual({ large: 2, done: 3 })
      await expect(counts(old)).rejects.toThrow('does not exist')
    } finally {
      await database.drop()
    }
  })

  test.each([
    ['renamed again', 'state: enum(queued, large, done) @was(queued: waiting, large: 2xl);', 'queued'],
    ['renamed back', 'state: enum(waiting, large, done) @was(large: 2xl);', 'waiting'],
    ['named as before, without `@was`', 'state: enum(pending, large, done);', 'pending'],
    [
      'renamed with the attribute',
      'status: enum(queued, large, done) @was(state, queued: waiting, large: 2xl);',
      'queued',
    ],
    [
      'renamed on their own',
      'state: enum(pending, large, closed) @was(pending: waiting, large: 2xl, closed: done);',
      'pending',
    ],
    ['no longer of an enum', 'state: string(20);', 'pending'],
  ])('keep their rows when they are %s', async (_, last, value) => {
    const definitions = [before, after, `${last} #enumerable; #timestamps;`]
    const [initial = [], renamed = [], again = []] = migrationsOf(definitions)
    const [, old, current] = definitions.map(databaseOf)
    const changes = compareSchemas(old?.tables ?? [], current?.tables ?? [])
    expect(
      changes.flatMap(({ losses = [], removedValues = [], problem = [] }) =>
        [losses, removedValues, problem].flat(),
      ),
    ).toEqual([])
    const isState = ({ attribute = '' }: Column): boolean => ['state', 'status'].includes(attribute)
    const name = current?.tables[0]?.columns.find(isState)?.name ?? ''
    const database = await freshDatabase()
    const { sql, url } = database
    try {
      await migrate(url, initial)
      await sql`INSERT INTO home (id, _owner, state) VALUES (uuidv7(), uuidv7(), 'waiting')`
      await migrate(url, [...initial, ...renamed, ...again])
      expect(await sql`SELECT ${sql(name)} AS value FROM home`).toEqual([{ value }])
    } finally {
      await database.drop()
    }
  })

  test('are removed only with a yes', () => {
    const [old, current] = [
      databaseOf(before),
      databaseOf('state: enum(pending, done) @was(pending: waiting); #timestamps;'),
    ]
    const removed = compareSchemas(old.tables, current.tables)
    expect(removed.flatMap(({ removedValues = [] }) => removedValues)).toEqual([
      { attribute: 'Home.state', values: 'its value 2xl' },
    ])
    const other = compareSchemas(old.tables, databaseOf('state: enum(pending, 2xl, done);').tables)
    expect(other.flatMap(({ removedValues = [] }) => removedValues)).toEqual([
      { attribute: 'Home.state', values: 'its value waiting' },
    ])
    expect(other.flatMap(({ renames = [] }) => renames)).toEqual([
      'write `@was(pending: waiting)` in `Home.state` if the value was renamed',
    ])
  })
})
