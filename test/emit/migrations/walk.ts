import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { type Database, databases } from '../../../src/emit/database/databases.ts'
import { schemaHash } from '../../../src/emit/database/hash.ts'
import { CREATED_COLUMN, identifier, UPDATED_COLUMN } from '../../../src/emit/database/identifiers.ts'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { hasTimestamps } from '../../../src/emit/database/timestamps.ts'
import { planMigrations } from '../../../src/emit/migrations/plan.ts'
import type { MigrationFolder } from '../../../src/migration/folder.ts'
import { directStatements } from '../../../src/emit/migrations/change.ts'
import { compareSchemas } from '../../../src/emit/migrations/compare.ts'
import type { BackfillOf } from '../../../src/emit/migrations/nullability.ts'
import { applyMigrations } from '../../../templates/typescript/lib/migrate.ts'
import type { TestDatabase } from '../../postgres.ts'
import { platformOf } from '../platform.ts'
import { reset, schemaObjects } from './schema-objects.ts'
import { backfills, withValues } from './walk-answers.ts'
import { type AttributeType, type Definition, type Entity, textOf } from './walk-definition.ts'
import { type Edit, edited } from './walk-edits.ts'
import {
  addRow,
  type Expectation,
  expectation,
  insertions,
  type Place,
  recordsOf,
  type Rows,
  stored,
  survives,
  withTimes,
} from './walk-rows.ts'
import { canonical, NOW, sqlType } from './walk-values.ts'

/** One change of a walk. */
export interface WalkStep {
  readonly edits: readonly Edit[]
  /** Whether rows only have values that the change allows. */
  readonly isFitting: boolean
  /** Whether the contract files run with the next change. */
  readonly waits: boolean
}

/** A random walk from one definition to others. */
export interface Walk {
  readonly start: Definition
  readonly steps: readonly WalkStep[]
  readonly salt: number
}

/** A definition with its database. */
interface Version {
  readonly definition: Definition
  readonly database: Database
  /** What the schema has when it is made from nothing. */
  readonly objects: readonly string[]
}

type Records = ReturnType<typeof recordsOf>

/** The texts of a walk's definitions. */
export function describeWalk({ start, steps }: Walk): string {
  const definitions = [start]
  for (const { edits } of steps) definitions.push(edits.reduce(edited, definitions.at(-1) ?? start))
  return definitions.map((each, index) => textOf(each, definitions[index - 1])).join('\n\n-- becomes --\n\n')
}

/** Migrates along walks in databases that it uses again and again. */
export class Walker {
  readonly #files: TestDatabase
  readonly #direct: TestDatabase
  /** How many changes had steps. */
  changes = 0
  #directory = ''
  #folder: MigrationFolder = { path: 'home-db/migrations', files: [], schema: undefined }
  #rows: Rows = new Map()
  #number = 0
  #salt = 0

  /** `files` gets the files of migrations, `direct` the statements that `dev` runs. */
  constructor(files: TestDatabase, direct: TestDatabase) {
    this.#files = files
    this.#direct = direct
  }

  /** Throws where a migration does not lead to the schema of the definition, or not to the expected rows. */
  async run({ start, steps, salt }: Walk): Promise<void> {
    this.#directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
    try {
      this.#folder = { path: 'home-db/migrations', files: [], schema: undefined }
      this.#rows = new Map()
      this.#number = 0
      this.#salt = salt
      await reset(this.#files.sql, '')
      let version = await this.#version(start, undefined)
      await this.#write(version.database, new Map())
      await this.#apply(true)
      for (const step of steps) version = await this.#step(version, step)
      await this.#apply(true)
      expect(await schemaObjects(this.#files.sql)).toEqual(version.objects)
    } finally {
      await rm(this.#directory, { recursive: true })
    }
  }

  async #version(definition: Definition, before: Definition | undefined): Promise<Version> {
    const [{ name }] = definition.entities
    const database = databases(platformOf(textOf(definition, before))).find(({ service }) => service === name)
    if (database === undefined) throw new Error('No database')
    const script = schemaScript(database.tables)
    return { definition, database, objects: await reset(this.#direct.sql, script) }
  }

  async #step(before: Version, { edits, isFitting, waits }: WalkStep): Promise<Version> {
    const definition = edits.reduce(edited, before.definition)
    const after = await this.#version(definition, before.definition)
    const backfillOf = backfills([before.definition, definition], after.database)
    const changes = compareSchemas(before.database.tables, after.database.tables, backfillOf)
    expect(changes.filter(({ missing }) => missing)).toEqual([])
    if (changes.some(({ problem }) => problem)) {
      expect(isRetypedRename(before.definition, definition)).toBe(true)
      return before
    }
    if (changes.length === 0) {
      expect(schemaHash(after.database.tables)).toBe(schemaHash(before.database.tables))
      return isDeepStrictEqual(after.objects, before.objects) ? after : before
    }
    this.changes++

    this.#rows = await this.#insertRows(
      this.#rows,
      [before, after],
      isFitting,
      ({ uid }) => (this.#salt + uid) % 4,
    )
    const tables = tablesOf([before, after])
    const expected = expectation(this.#rows, [before.definition, definition], tables)
    const records = recordsOf(this.#rows, before.definition, before.database)
    await this.#runDirect(directStatements(changes), [before, after], records, expected)
    const times = await timesOf(this.#files, before.database)

    const added = await this.#write(after.database, expected.written, backfillOf)
    if (expected.failures.length > 0) {
      expectOneOf(expected.failures, await outcomeOf(this.#apply(false)))
      expect(await schemaObjects(this.#files.sql)).toEqual(before.objects)
      await expectRecords(this.#files, records)
      for (const table of [...records.keys()].toReversed())
        await this.#files.sql.unsafe(`DELETE FROM ${identifier(table)}`)
      this.#rows = new Map()
      await this.#apply(true)
      expect(await schemaObjects(this.#files.sql)).toEqual(after.objects)
      return after
    }
    const report = await this.#apply(false)
    expect(report.filter((text) => text.endsWith('waits for the next deployment'))).toHaveLength(
      added.some((name) => name.endsWith('.contract.sql')) ? 1 : 0,
    )
    await expectTimes(this.#files, after.database, times)
    const isBreaking = changes.some((change) => change.isBreaking)
    const now = isBreaking ? expected.rows : await this.#insertBothWays(this.#rows, [before, after])
    if (!waits) await this.#apply(true)
    const timeOf = (...place: Place) => this.#timeOf(waits, ...place)
    this.#rows = await withTimes(now, definition, timeOf, after.database)
    if (!waits) {
      await expectTimes(this.#files, after.database, times)
      expect(await schemaObjects(this.#files.sql)).toEqual(after.objects)
      await expectRecords(this.#files, recordsOf(this.#rows, definition, after.database))
    }
    return after
  }

  /** Inserts rows that a definition allows, at most so many into each table. */
  async #insertRows(
    rows: Rows,
    [before, after]: readonly [Version, Version],
    isFitting: boolean,
    countOf: (entity: Entity) => number,
  ): Promise<Rows> {
    const { definition, database } = before
    const pair = [definition, after.definition] as const
    const tables = tablesOf([before, after])
    let all = rows
    for (const entity of definition.entities) {
      for (let count = countOf(entity); count > 0; count--) {
        const future = expectation(all, pair, tables).rows
        const place = { number: ++this.#number, salt: this.#salt }
        all = addRow(all, definition, entity, place, {
          isWanted: (attribute, value, parent) =>
            isFitting ? survives(pair, future, attribute, value, parent) : true,
          areWanted: (added) => !isFitting || expectation(added, pair, tables).failures.length === 0,
        })
      }
    }
    await this.#insert(recordsOf(rows, definition, database), recordsOf(all, definition, database))
    return all
  }

  /** After the expand files, the previous code creates rows, and so does the new code. */
  async #insertBothWays(rows: Rows, [before, after]: readonly [Version, Version]): Promise<Rows> {
    const old = await this.#insertRows(rows, [before, after], true, () => 1)
    const pair = [before.definition, after.definition] as const
    const { rows: migrated } = expectation(old, pair, tablesOf([before, after]))
    return this.#insertRows(migrated, [after, after], false, () => 1)
  }

  /** The time in the database. A contract file that waits has not replaced NULL yet. */
  async #timeOf(waits: boolean, ...[table, column, id]: Place): Promise<string> {
    const [found] = await this.#files.sql.unsafe<{ time: string | null }[]>(
      `SELECT ${identifier(column)}::text AS time FROM ${identifier(table)} WHERE id = '${id}'`,
    )
    if (waits && found?.time === null) return NOW
    expect(found?.time).toMatch(RECENT)
    return found?.time ?? ''
  }

  async #insert(old: Records, now: Records): Promise<void> {
    const known = new Set(Array.from(old.values()).flatMap((found) => found.map(({ id }) => id)))
    const fresh = Array.from(
      now,
      ([table, found]) => [table, found.filter(({ id }) => !known.has(id))] as const,
    )
    await this.#files.sql.unsafe(insertions(new Map(fresh)))
  }

  async #runDirect(
    direct: readonly string[],
    [before, after]: readonly [Version, Version],
    records: Records,
    { rows, failures, written }: Expectation,
  ): Promise<void> {
    await reset(this.#direct.sql, `${schemaScript(before.database.tables)}\n${insertions(records)}`)
    const times = await timesOf(this.#direct, before.database)
    const script = withValues(direct.join('\n'), written)
    const run = this.#direct.sql.begin((transaction) => transaction.unsafe(script))
    const isEmpty = [...records.values()].every((found) => found.length === 0)
    const isUnknown = !isEmpty && /ADD COLUMN \S+ [a-z0-9(,) ]+ NOT NULL;/.test(script)
    const outcome = await outcomeOf(run)
    const isConverted = !isEmpty && script.includes('change when they are converted')
    const reasons = [
      ...failures,
      ...(isUnknown ? ['contains null values', 'done'] : []),
      ...(isConverted ? [...CONVERSION_FAILURES, 'done'] : []),
    ]
    expectOneOf(reasons.length === 0 ? ['done'] : reasons, outcome)
    if (outcome !== 'done') {
      await expectRecords(this.#direct, records)
      return
    }
    expect(await schemaObjects(this.#direct.sql)).toEqual(after.objects)
    await expectTimes(this.#direct, after.database, times)
    await expectRecords(this.#direct, recordsOf(rows, after.definition, after.database))
  }

  /** Adds the files of a change. Returns their names. */
  async #write(
    database: Database,
    written: Expectation['written'],
    backfillOf?: BackfillOf,
  ): Promise<string[]> {
    const plan = planMigrations(database, this.#folder, backfillOf)
    if (typeof plan === 'string') throw new Error(plan)
    for (const { name, content } of plan.added)
      await writeFile(path.join(this.#directory, name), withValues(content, written))
    this.#folder = { ...this.#folder, files: [...this.#folder.files, ...plan.added], schema: plan.schema }
    return plan.added.map(({ name }) => name)
  }

  async #apply(all: boolean): Promise<string[]> {
    const report: string[] = []
    await applyMigrations({
      connection: { connectionString: this.#files.url },
      directory: this.#directory,
      all,
      onProgress: (text) => report.push(text),
    })
    return report
  }
}

function isRetypedRename(before: Definition, after: Definition): boolean {
  const old = new Map(before.entities.flatMap((entity) => stored(entity).map((each) => [each.uid, each])))
  return after.entities.some((entity) =>
    stored(entity).some(({ uid, name, type }) => {
      const was = old.get(uid)
      if (was === undefined || sqlType(was.type) === sqlType(type)) return false
      return was.name !== name || hasRenamedValues(was.type) || hasRenamedValues(type)
    }),
  )
}

/** Its column has a name of its own. */
function hasRenamedValues(type: AttributeType): boolean {
  return type.kind === 'enum' && type.was.size > 0
}

function tablesOf([before, after]: readonly [Version, Version]) {
  return [before.database.tables, after.database.tables] as const
}

async function outcomeOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => 'done',
    (error: unknown) => String(error),
  )
}

/** `dev` converts values only if they stay the same. */
const CONVERSION_FAILURES = ['change when they are converted', 'cannot be converted', 'out of range']

function expectOneOf(texts: readonly string[], found: string): void {
  if (!texts.some((text) => found.includes(text))) expect(found).toEqual(texts)
}

/** The time of a migration, unlike the times that rows are inserted with. */
const RECENT = /^(?:20(?!20-01-01)\d\d-\d\d-\d\d.*|\d\d:\d\d:\d\d\.\d+)$/

async function expectRecords({ sql }: TestDatabase, expected: Records): Promise<void> {
  const found = new Map<string, Record<string, string | null>[]>()
  for (const table of expected.keys()) {
    const columns = await sql<{ name: string; type: string }[]>`
      SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
        WHERE attrelid = ${identifier(table)}::regclass AND attnum > 0 AND NOT attisdropped
          AND attname NOT IN (${CREATED_COLUMN}, ${UPDATED_COLUMN})`
    const list = columns.map(({ name }) => `${identifier(name)}::text`).join(', ')
    const rows = await sql.unsafe<Record<string, string | null>[]>(
      `SELECT ${list} FROM ${identifier(table)} ORDER BY id`,
    )
    found.set(
      table,
      rows.map((row, index) =>
        Object.fromEntries(
          columns.map(({ name, type }) => {
            const value = canonical(row[name] ?? null, type)
            const isTime = expected.get(table)?.[index]?.[name] === NOW && RECENT.test(value ?? '')
            return [name, isTime ? NOW : value]
          }),
        ),
      ),
    )
  }
  expect(found).toEqual(expected)
}

/** When rows were created and changed, by id; `undefined` for rows of tables without `#timestamps`. */
type Times = ReadonlyMap<string, string | undefined>

async function timesOf({ sql }: TestDatabase, { tables }: Database): Promise<Times> {
  const times = new Map<string, string | undefined>()
  for (const table of tables) {
    const time = hasTimestamps(table) ? `${CREATED_COLUMN} || ' ' || ${UPDATED_COLUMN}` : 'NULL'
    const rows = await sql.unsafe<{ id: string; time: string | null }[]>(
      `SELECT id, ${time} AS time FROM ${identifier(table.name)}`,
    )
    for (const row of rows) times.set(row.id, row.time ?? undefined)
  }
  return times
}

/** A migration changes no times, and takes those that it adds from the ids of rows, which are those of 1970. */
async function expectTimes(database: TestDatabase, schema: Database, before: Times): Promise<void> {
  for (const [id, time] of await timesOf(database, schema))
    if (time !== undefined && before.has(id)) {
      const known = before.get(id)
      if (known === undefined) expect(time).toMatch(/^1970-01-01 00:00:00\+00 20/)
      else expect(time).toBe(known)
    }
}
