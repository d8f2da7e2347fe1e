import postgres from 'postgres'
import { schemaHash } from '../emit/database/hash.ts'
import { identifier, literal } from '../emit/database/identifiers.ts'
import { schemaScript } from '../emit/database/sql.ts'
import type { Table } from '../emit/database/table.ts'
import { formatSchema, parseSchema, type RecordedSchema } from '../emit/migrations/recorded-schema.ts'
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
  readonly tables: readonly Table[]
  /** The hash that the service expects. */
  readonly hash: string
}

/** A database whose schema differs from the one wanted. */
export interface ChangedDatabase {
  readonly schema: DatabaseSchema
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
  readonly statements: readonly string[]
  /** The tables, by their names before, that the statements may change because they have no rows. */
  readonly emptyTables: readonly string[]
}

/** The databases of a platform's services. */
export interface Databases {
  /** Returns the existing databases whose schema differs. Throws PlatformError if a service has lost its `#was`. */
  changed(schemas: readonly DatabaseSchema[]): Promise<ChangedDatabase[]>
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
  /** What the comment records. */
  readonly recorded: RecordedSchema | undefined
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

  async function list(): Promise<Found[]> {
    const all = await admin<{ database: string; comment: string | null }[]>`
      SELECT datname AS database, shobj_description(oid, 'pg_database') AS comment FROM pg_database`
    return all.map(({ database, comment }) => ({
      database,
      comment,
      recorded: comment === null ? undefined : parseSchema(comment),
    }))
  }

  function open(schema: DatabaseSchema): Promise<Opened> {
    const known = opened.get(schema.database)
    if (known !== undefined) return known
    const opening = openDatabase(schema)
    opened.set(schema.database, opening)
    opening.catch(() => opened.delete(schema.database))
    return opening
  }

  async function openDatabase(schema: DatabaseSchema): Promise<Opened> {
    const { database } = schema
    const found = (await list()).find((each) => each.database === database)
    if (found?.comment === null) await server.dropDatabase(database)
    const { url, created } = await server.ensureDatabase(database)
    if (created)
      await inTransaction(url, async (sql) => {
        await sql.unsafe(schemaScript(schema.tables))
        await recordHash(sql, schema)
        await recordSchema(sql, database, schema)
      })
    return { database, url }
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
    const { database, url } = await open(schema)
    await inTransaction(url, async (sql) => {
      await run(sql, first)
      await recordHash(sql, schema)
      await recordSchema(sql, database, schema)
      await update(rest, write)
    })
  }

  return {
    changed: async (schemas) => {
      const all = await list()
      const changed: ChangedDatabase[] = []
      for (const schema of schemas) {
        const found = all.find(({ database }) => database === schema.database)
        if (found === undefined) requireNew(schema, all)
        if (found === undefined || found.comment === null) continue
        const { tables } = requireRecord(found)
        if (schemaHash(tables) === schema.hash) continue
        changed.push({ schema, tables, ...(await countRows(found.database, tables)) })
      }
      return changed
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

/** Throws PlatformError if the record of a database is not one that this version can read. */
function requireRecord({ database, recorded }: Found): RecordedSchema {
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
    INSERT INTO _migration (name, hash, schema) VALUES ('dev', '', ${hash})
    ON CONFLICT (name) DO UPDATE SET schema = excluded.schema`
}

async function recordSchema(
  sql: postgres.TransactionSql,
  database: string,
  { name, tables, hash }: DatabaseSchema,
): Promise<void> {
  const record = formatSchema({ service: name, state: hash, tables })
  await sql.unsafe(`COMMENT ON DATABASE ${identifier(database)} IS ${literal(record)}`)
}
