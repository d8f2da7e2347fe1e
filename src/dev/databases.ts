import postgres from 'postgres'
import { schemaHash } from '../emit/database/hash.ts'
import { identifier, literal } from '../emit/database/identifiers.ts'
import { schemaScript } from '../emit/database/sql.ts'
import type { Table } from '../emit/database/table.ts'
import {
  formatSchema,
  parseSchema,
  recordedSchema,
  type RecordedSchema,
} from '../emit/migrations/recorded-schema.ts'
import type { MigrationFolder } from '../migration/folder.ts'
import { type MigrationFile, migrationHash } from '../migration/migration-file.ts'
import {
  isOwn,
  nameOf,
  pendingMigrations,
  type PendingMigrations,
  digestOf,
  recordMigrations,
  runMigrations,
  runOwnMigrations,
} from './migrations.ts'
import { PlatformError } from './platform-error.ts'
import { CONNECTION, type RunningPostgres } from './postgres.ts'
import { createTurns } from './turns.ts'

/** The schema that a service's database must have. */
export interface DatabaseSchema {
  /** Directory of the service. */
  readonly service: string
  /** Declared name of the service. */
  readonly name: string
  /** Name of the database and of its role, which identifies it. */
  readonly database: string
  /** Path of its migrations in the project: `home-db/migrations`. */
  readonly migrations: string
  readonly tables: readonly Table[]
  /** The hash that the service expects. */
  readonly hash: string
}

/** A database whose schema differs from the one wanted, or that does not have all migrations. */
export interface ChangedDatabase {
  readonly schema: DatabaseSchema
  readonly pending: PendingMigrations | undefined
  /** The digest of the migrations that it then has: see `digestOf`. */
  readonly files: string | undefined
  /** The tables that it has. */
  readonly tables: readonly Table[]
  /** Number of rows by table. */
  readonly rows: ReadonlyMap<string, number>
  /** Number of rows without a value, by table and column: `home.city`. */
  readonly nulls: ReadonlyMap<string, number>
}

/** The statements that bring a database to its wanted schema. */
export interface SchemaUpdate {
  readonly schema: DatabaseSchema
  /** They run after the statements. */
  readonly pending: PendingMigrations | undefined
  /** The digest of the migrations that the database then has: see `digestOf`. */
  readonly files: string | undefined
  readonly statements: readonly string[]
  /** The tables, by their names before, that the statements may change because they have no rows. */
  readonly emptyTables: readonly string[]
}

/** The databases of a platform's services. */
export interface Databases {
  /**
   * Returns the existing databases that have to change. Creates those that do not exist from the migrations of the
   * project. If no service is running, applies the migrations that start from the schema of a database. Throws
   * PlatformError if a service has lost its `#was`, or if a migration fails.
   */
  changed(
    schemas: readonly DatabaseSchema[],
    project: { readonly folders: readonly MigrationFolder[]; readonly isRunning: boolean },
  ): Promise<{ readonly databases: readonly ChangedDatabase[]; readonly notices: readonly string[] }>
  /**
   * Runs each update in a transaction, and commits all of them after `write` has succeeded. If anything fails,
   * nothing has changed. Throws PlatformError with the reason that Postgres gives.
   */
  update(updates: readonly SchemaUpdate[], write: () => Promise<void>): Promise<void>
  /** Creates the database, its role and its schema if they do not exist. Returns the URL for the service. */
  ensure(schema: DatabaseSchema): Promise<string>
  /** Returns the rows that a SELECT statement finds, with values as text. It cannot change anything. */
  read(
    database: string,
    statement: string,
    parameters: readonly string[],
  ): Promise<readonly (readonly (string | null)[])[]>
  readonly close: () => Promise<void>
}

/** A database of the server. */
interface Found {
  readonly database: string
  /** Its comment. Without one it was never completed and holds no data. */
  readonly comment: string | null
  readonly recorded: DatabaseRecord | undefined
}

/** What the comment of a database records. */
interface DatabaseRecord extends RecordedSchema {
  /** The digest of the migrations that it has: see `digestOf`. */
  readonly files?: string
  /** The migration runner has begun and not finished, so `state` and `tables` are those before. */
  readonly isMigrating?: true
}

interface Opened {
  readonly database: string
  /** For the role that owns it. */
  readonly url: string
}

/** The table of the migration runner, in which a service looks for the schema that it needs. */
const MIGRATIONS = `
  CREATE TABLE IF NOT EXISTS "_migration" (
    "name" text PRIMARY KEY,
    "hash" text NOT NULL,
    "schema" text NOT NULL,
    "applied_at" timestamptz NOT NULL DEFAULT now()
  )`
/**
 * The record of the schema that `dev` has brought a database to. Its number makes it the newest one. It ends like the state
 * after a change, so that services that expect an older schema are not ready.
 */
const RECORD = '999999999_dev'

/** How long a schema update waits for requests under way. */
const LOCK_TIMEOUT = '3s'

/** How many statements of `read` run at a time, and for how long, in milliseconds: they share the spare connections. */
const READS = 2
const READ_TIMEOUT_MS = 10_000
const READ_ONLY = {
  default_transaction_read_only: true,
  statement_timeout: READ_TIMEOUT_MS,
  TimeZone: 'UTC',
}

/** Opens the databases of a server. A database's comment records its service and its schema. */
export function openDatabases(server: RunningPostgres): Databases {
  const admin = postgres(server.superuserUrl(), { ...CONNECTION, max: 1, idle_timeout: 30 })
  /** By name. Each run sets new passwords, so a database is opened once. */
  const opened = new Map<string, Promise<Opened>>()
  const reads = createTurns(READS, READ_TIMEOUT_MS)
  /** The hashes of migrations whose change was reported. */
  const reported = new Map<string, string>()

  async function list(): Promise<Found[]> {
    const all = await admin<{ database: string; comment: string | null }[]>`
      SELECT datname AS database, shobj_description(oid, 'pg_database') AS comment FROM pg_database`
    return all.map(({ database, comment }) => ({
      database,
      comment,
      recorded: comment === null ? undefined : (parseSchema(comment) satisfies DatabaseRecord | undefined),
    }))
  }

  function open(schema: DatabaseSchema, folder?: MigrationFolder): Promise<Opened> {
    const known = opened.get(schema.database)
    if (known !== undefined) return known
    const opening = openDatabase(schema, folder)
    opened.set(schema.database, opening)
    opening.catch(() => opened.delete(schema.database))
    return opening
  }

  async function openDatabase(schema: DatabaseSchema, folder?: MigrationFolder): Promise<Opened> {
    const { database } = schema
    const found = (await list()).find((each) => each.database === database)
    if (found?.comment === null) await server.dropDatabase(database)
    const { url, created } = await server.ensureDatabase(database)
    if (created && folder !== undefined) await applyPending(url, schema, folder, { skipped: [] })
    else if (created)
      await inTransaction(url, async (sql) => {
        await sql.unsafe(schemaScript(schema.tables))
        await recordHash(sql, schema)
        await recordSchema(sql, schema, recordOf(schema))
      })
    return { database, url }
  }

  /** The hashes of the migrations that a database has. */
  async function appliedFiles(database: string): Promise<Map<string, string>> {
    const applied = new Map<string, string>()
    await inTransaction(server.superuserUrl(database), async (sql) => {
      const rows = await sql<{ name: string; hash: string }[]>`
        SELECT name, hash FROM _migration WHERE name <> ${RECORD}`
      for (const { name, hash } of rows) applied.set(name, hash)
    })
    return applied
  }

  /** The files of the user that have changed after they were applied, each once. */
  function changedFiles({ path, files }: MigrationFolder, applied: ReadonlyMap<string, string>): string[] {
    const changed = files.filter(isOwn).filter(({ name, content }) => {
      const hash = migrationHash(content)
      const before = applied.get(nameOf(name))
      if (before === undefined || before === hash || reported.get(`${path}/${name}`) === hash) return false
      reported.set(`${path}/${name}`, hash)
      return true
    })
    return changed.map(
      ({ name }) =>
        `${path}/${name} was changed after it was applied, so it does not run again. Run \`portico dev --fresh\` to start with new databases`,
    )
  }

  async function countRows(
    database: string,
    tables: readonly Table[],
  ): Promise<Pick<ChangedDatabase, 'rows' | 'nulls'>> {
    const rows = new Map<string, number>()
    const nulls = new Map<string, number>()
    await inTransaction(server.superuserUrl(database), async (sql) => {
      for (const { name, columns } of tables) {
        const optional = columns.filter(({ nullable }) => nullable).map((column) => column.name)
        const counts = ['count(*)', ...optional.map((column) => `count(*) - count(${identifier(column)})`)]
        const [[all, ...without] = []] = await sql
          .unsafe(`SELECT ${counts.join(', ')} FROM ${identifier(name)}`)
          .values()
        rows.set(name, Number(all))
        for (const [index, column] of optional.entries())
          nulls.set(`${name}.${column}`, Number(without[index]))
      }
    })
    return { rows, nulls }
  }

  async function update(updates: readonly SchemaUpdate[], write: () => Promise<void>): Promise<void> {
    const [first, ...rest] = updates
    if (first === undefined) return write()
    const { schema } = first
    const { url } = await open(schema)
    await inTransaction(url, async (sql) => {
      await run(sql, first)
      await sql.unsafe(MIGRATIONS)
      if (first.pending !== undefined) await runOwnMigrations(sql, first.pending)
      await recordHash(sql, schema)
      await recordSchema(sql, schema, recordOf(schema, first.files))
      await update(rest, write)
    })
  }

  return {
    changed: async (schemas, { folders, isRunning }) => {
      const all = await list()
      const changed: ChangedDatabase[] = []
      const notices: string[] = []
      for (const schema of schemas) {
        const folder = folders.find(({ path }) => path === schema.migrations)
        const found = all.find(({ database }) => database === schema.database)
        if (found === undefined) requireNew(schema, all)
        if (found === undefined || found.comment === null) {
          if (folder === undefined) continue
          await open(schema, folder)
          const { tables } = requireOrder(folder)
          if (schemaHash(tables) === schema.hash) continue
          const counts = await countRows(schema.database, tables)
          changed.push({ schema, tables, pending: undefined, files: digestOf(folder), ...counts })
          continue
        }
        const record = requireRecord(found)
        let { tables } = record
        const digest = folder && digestOf(folder)
        let pending: PendingMigrations | undefined
        if (folder !== undefined && (digest !== record.files || record.isMigrating)) {
          const recorded = requireOrder(folder)
          const applied = await appliedFiles(schema.database)
          notices.push(...changedFiles(folder, applied))
          pending = pendingMigrations(folder, applied.keys(), schemaHash(tables))
          if (record.isMigrating || (pending.isNext && !isRunning)) {
            const skipped = record.isMigrating ? [] : pending.skipped
            await applyPending((await open(schema)).url, schema, folder, { recorded: record, skipped })
            ;({ tables } = recorded)
            pending = undefined
          }
        }
        const isPending = pending !== undefined && pending.skipped.length + pending.own.length > 0
        if (schemaHash(tables) === schema.hash && !isPending) continue
        const files = pending?.isComplete === false ? undefined : digest
        changed.push({ schema, tables, pending, files, ...(await countRows(schema.database, tables)) })
      }
      return { databases: changed, notices }
    },
    update,
    ensure: async (schema) => (await open(schema)).url,
    read: (database, statement, parameters) =>
      reads(async () => {
        const sql = postgres(server.superuserUrl(database), { ...CONNECTION, max: 1, connection: READ_ONLY })
        try {
          const rows = await sql.unsafe(statement, [...parameters]).values()
          return rows.map((row) => row.map((value) => (value === null ? null : String(value))))
        } finally {
          await sql.end()
        }
      }),
    close: () => admin.end({ timeout: 1 }),
  }
}

/** Throws PlatformError if a service without a database has one under its former name. */
function requireNew({ name }: DatabaseSchema, all: readonly Found[]): void {
  const other = all.find(({ recorded }) => recorded?.service === name)
  if (other === undefined) return
  throw new PlatformError(
    `\`${name}\` was renamed, and its data is in the database \`${other.database}\``,
    'restore its `#was`, which names the database, or run with `--fresh` to delete all data',
    'usage',
  )
}

/** Applies the migrations that a database does not have. Those that are skipped count as applied. */
async function applyPending(
  url: string,
  schema: DatabaseSchema,
  folder: MigrationFolder,
  { recorded, skipped }: { recorded?: DatabaseRecord; skipped: readonly MigrationFile[] },
): Promise<void> {
  const { tables, state } = requireOrder(folder)
  await inTransaction(url, async (sql) => {
    await sql.unsafe(MIGRATIONS)
    await sql`DELETE FROM _migration WHERE name = ${RECORD}`
    await recordMigrations(sql, skipped)
    // A new one is created again if a migration fails.
    if (recorded !== undefined) await recordSchema(sql, schema, { ...recorded, isMigrating: true })
  })
  await runMigrations(url, folder)
  const record = { service: schema.name, state, tables, files: digestOf(folder) }
  await inTransaction(url, (sql) => recordSchema(sql, schema, record))
}

/** Throws PlatformError if the files of a directory are not in order. */
function requireOrder(folder: MigrationFolder): RecordedSchema {
  const recorded = recordedSchema(folder)
  if (typeof recorded === 'string') throw new PlatformError(recorded)
  return recorded
}

/** Throws PlatformError if the record of a database is not one that this version can read. */
function requireRecord({ database, recorded }: Found): DatabaseRecord {
  if (recorded !== undefined) return recorded
  throw new PlatformError(
    `Could not read the schema of the database \`${database}\` in its comment`,
    'run the version of Portico that made the database, or run with `--fresh` to delete all data',
    'usage',
  )
}

async function run(
  sql: postgres.TransactionSql,
  { schema, statements, emptyTables }: SchemaUpdate,
): Promise<void> {
  if (statements.length === 0) return
  try {
    await sql.unsafe(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
    if (emptyTables.length > 0)
      await sql.unsafe(`LOCK TABLE ${emptyTables.map(identifier).join(', ')} IN ACCESS EXCLUSIVE MODE`)
    for (const table of emptyTables)
      if ((await sql`SELECT FROM ${sql(table)} LIMIT 1`).length > 0)
        throw new Error(`rows were added to \`${table}\` in the meantime`)
    await sql.unsafe(statements.join('\n'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PlatformError(
      `Could not change the database of \`${schema.service}\`: ${reason}`,
      'change the data or the definition, or run with `--fresh` to delete all data',
      'usage',
    )
  }
}

async function inTransaction(
  url: string,
  work: (sql: postgres.TransactionSql) => Promise<void>,
): Promise<void> {
  const sql = postgres(url, { ...CONNECTION, max: 1 })
  try {
    await sql.begin(work)
  } finally {
    await sql.end()
  }
}

/** Tells the service which schema the database has. */
async function recordHash(sql: postgres.TransactionSql, { hash }: DatabaseSchema): Promise<void> {
  await sql.unsafe(MIGRATIONS)
  await sql`
    INSERT INTO _migration (name, hash, schema) VALUES (${RECORD}, '', ${`${hash}!`})
    ON CONFLICT (name) DO UPDATE SET schema = excluded.schema`
}

/** The record of a database that has the schema of a definition. */
function recordOf({ name, tables, hash }: DatabaseSchema, files?: string): DatabaseRecord {
  return { service: name, state: hash, tables, ...(files === undefined ? {} : { files }) }
}

async function recordSchema(
  sql: postgres.TransactionSql,
  { database }: DatabaseSchema,
  record: DatabaseRecord,
): Promise<void> {
  await sql.unsafe(`COMMENT ON DATABASE ${identifier(database)} IS ${literal(formatSchema(record))}`)
}
