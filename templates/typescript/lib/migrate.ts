import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client, type ClientConfig, DatabaseError, type QueryConfig } from 'pg'
import type { z } from 'zod'
import { type BaseConfig, directConfig, poolerAdvice, readConfig, roleSettings } from './config.ts'
import type { AppliedMigration, Migration } from './migration-files.ts'
import {
  byNumber,
  isContract,
  MigrationError,
  readMigrations,
  schemaOf,
  supports,
} from './migration-files.ts'

/** The migrations of one database. */
export interface MigrationOptions {
  readonly connection: ClientConfig
  /** Directory of the files: `home-db/migrations`. */
  readonly directory: string
  /** Also apply the contract files that otherwise wait for the next deployment. Default: false. */
  readonly all?: boolean
  /** Settings of the role in this database. */
  readonly settings?: Settings
  /** Called with each thing that happened. */
  readonly onProgress?: (text: string) => void
}

type Settings = Readonly<Record<string, string | number>>
type Applied = AppliedMigration & Pick<Migration, 'hash'>

/** How long a server may take to accept the connection: one that sleeps until somebody connects takes seconds. */
const CONNECT_TIMEOUT_MS = 30_000
/** The advisory lock of migrations. */
const LOCK = [1_886_351_988, 1_768_124_783]
const LOCK_RETRY_MS = 250
const LOCK_NOTICE_MS = 10_000
const LOCK_TIMEOUT = '500ms'
/** For statements that wait without keeping others from the table, and that take long to begin again. */
const LONG_LOCK_TIMEOUT = '60s'
const LOCK_ATTEMPTS = 60
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * The table of applied migrations, and what runs a file and records it: one statement and so one transaction, which
 * nothing in the file can leave, because Postgres refuses `COMMIT` and the like in functions.
 */
const setup = (schema: string) => `
  CREATE TABLE IF NOT EXISTS ${schema}."_migration" (
    "name" text PRIMARY KEY,
    "hash" text NOT NULL,
    "schema" text NOT NULL,
    "applied_at" timestamptz NOT NULL DEFAULT now()
  );
  CREATE OR REPLACE FUNCTION ${schema}."_apply_migration"(text, text, text, text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    EXECUTE $1;
    INSERT INTO ${schema}."_migration" ("name", "hash", "schema") VALUES ($2, $3, $4);
  END
  $$`

/**
 * Applies the migrations that the database does not have yet, in the order of their numbers. Each is a transaction of
 * its own, so that a failed one changes nothing and the next run continues with it. Throws MigrationError.
 */
export async function applyMigrations({
  connection,
  directory,
  all = false,
  settings = {},
  onProgress,
}: MigrationOptions): Promise<void> {
  const migrations = await readMigrations(directory)
  const client = new Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: 0,
  })
  // A broken connection also fails the query that is under way.
  client.on('error', () => {})
  await client.connect().catch((error: Error & { code?: string }) => {
    // A failure to reach any of several addresses has no message.
    throw new MigrationError(
      `Could not connect to the database: ${error.message || error.code}${poolerAdvice(error)}`,
    )
  })
  try {
    await new Runner(client, onProgress ?? (() => {})).run(migrations, all, settings)
  } finally {
    await client.end()
  }
}

class Runner {
  readonly #client: Client
  readonly #report: (text: string) => void
  /** Where the table is: files can change the `search_path`. */
  #schema = ''

  constructor(client: Client, report: (text: string) => void) {
    this.#client = client
    this.#report = report
  }

  async run(migrations: readonly Migration[], all: boolean, settings: Settings): Promise<void> {
    await this.#lock()
    await this.#setRole(settings)
    const { rows } = await this.#client.query<{ name: string }>(
      'SELECT quote_ident(current_schema()) AS name',
    )
    this.#schema = rows[0]?.name ?? 'public'
    await this.#reset(LOCK_TIMEOUT)
    await this.#client.query(setup(this.#schema))
    const { rows: applied } = await this.#client.query<Applied>('SELECT name, hash, schema FROM _migration')
    applied.sort(byNumber)
    this.#reportChanged(migrations, applied)
    if (this.#isAhead(migrations, applied)) return

    const known = new Set(applied.map(({ name }) => name))
    const isDeployed = known.size > 0
    let last = applied.at(-1)
    for (const migration of migrations.filter(({ name }) => !known.has(name))) {
      requireOrder(migration, last)
      if (isContract(migration) && isDeployed) {
        const isUnused = await this.#isUnused(migration, migrations)
        if (!all && (!isUnused || !isDue(migration, migrations, known)) && isLast(migration, migrations)) {
          this.#report(`${migration.file} waits for the next deployment`)
          return
        }
        if (!isUnused)
          throw new MigrationError(
            `${migration.file} removes what the running code still needs. First deploy the version of the project ` +
              'that added this file, or stop the service',
          )
      }
      const began = performance.now()
      await this.#apply(migration)
      this.#report(`Applied ${migration.file} in ${Math.round(performance.now() - began)} ms`)
      last = { ...migration, schema: migration.to }
    }
  }

  /** Sets what new connections of the role to this database begin with. */
  async #setRole(settings: Settings): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      const { rows } = await this.#client.query<{ statement: string }>(
        "SELECT format('ALTER ROLE %I IN DATABASE %I SET %I TO %L', current_user, current_database(), $1::text, $2::text) AS statement",
        [name, value],
      )
      await this.#client.query(rows[0]?.statement ?? '')
    }
  }

  /** Whether a newer version of the project has migrated the database, in a way that this one can work with. */
  #isAhead(migrations: readonly Migration[], applied: readonly Applied[]): boolean {
    const [last] = migrations.slice(-1)
    const unknown = applied.filter(({ name }) => migrations.every((migration) => migration.name !== name))
    const [newest] = unknown.slice(-1)
    if (last === undefined || newest === undefined) return false
    if (unknown.some((each) => byNumber(each, last) <= 0))
      throw new MigrationError(
        `The database has the migration ${unknown[0]?.name}, which this project does not have. ` +
          'It belongs to another service or branch, or its file was deleted',
      )
    if (!supports(applied, schemaOf(last.to)))
      throw new MigrationError(
        `The database has the migration ${newest.name} of a newer version, and this version cannot work with it`,
      )
    this.#report(
      `The database has the migration ${newest.name} of a newer version. This one can work with it`,
    )
    return true
  }

  /** Whether no code is running that needs what a contract file removes. Services name their schema when they connect. */
  async #isUnused(migration: Migration, migrations: readonly Migration[]): Promise<boolean> {
    const { rows } = await this.#client.query<{ schema: string }>(
      `SELECT DISTINCT substr(application_name, 9) AS schema FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'portico %'`,
    )
    const later = migrations.filter((each) => byNumber(each, migration) >= 0)
    return rows.every(({ schema }) => later.some(({ to }) => to.startsWith(schema)))
  }

  /** Tries again instead of waiting in the database, which would block `CREATE INDEX CONCURRENTLY` of the other. */
  async #lock(): Promise<void> {
    for (let waited = 0; ; waited += LOCK_RETRY_MS) {
      const { rows } = await this.#client.query<{ locked: boolean }>(
        'SELECT pg_try_advisory_lock($1, $2) AS locked',
        LOCK,
      )
      if (rows[0]?.locked) return
      if (waited % LOCK_NOTICE_MS === 0) this.#report('Waiting for another process that applies migrations')
      await sleep(LOCK_RETRY_MS)
    }
  }

  #reportChanged(migrations: readonly Migration[], applied: readonly Applied[]): void {
    for (const { name, hash, schema } of applied) {
      const migration = migrations.find((each) => each.name === name)
      if (migration === undefined || migration.hash === hash) continue
      if (migration.to !== schema)
        throw new MigrationError(
          `${migration.file} was changed after it was applied and now leads to another schema. Applied migrations ` +
            'do not run again: restore the file and write a new one',
        )
      this.#report(`${migration.file} was changed after it was applied. It does not run again`)
    }
  }

  /** Ends what a file has set. */
  async #reset(lockTimeout: string): Promise<void> {
    await this.#client.query(`RESET ALL; SET statement_timeout = 0; SET lock_timeout = '${lockTimeout}'`)
  }

  async #apply(migration: Migration): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await this.#reset(migration.isTransaction ? LOCK_TIMEOUT : LONG_LOCK_TIMEOUT)
      try {
        return await (migration.isTransaction ? this.#run(migration) : this.#runAlone(migration))
      } catch (error) {
        const isLocked = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE
        if (!isLocked || attempt === LOCK_ATTEMPTS) throw new MigrationError(problemText(migration, error))
        this.#report(`${migration.file} waits for a table that is in use`)
        await sleep(LOCK_RETRY_MS * Math.min(attempt, 20))
      }
    }
  }

  /** Runs a file and records it. */
  async #run({ sql, name, hash, to }: Migration): Promise<void> {
    const call = `SELECT ${this.#schema}."_apply_migration"($1, $2, $3, $4)`
    await this.#client.query(call, [sql, name, hash, to])
  }

  async #runAlone(migration: Migration): Promise<void> {
    const { rows } = await this.#client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace`,
    )
    // An interrupted run leaves an index that is not valid, and that would count as existing.
    for (const { name } of rows.filter((each) => migration.sql.includes(each.name)))
      await this.#client.query(`DROP INDEX CONCURRENTLY ${this.#client.escapeIdentifier(name)}`)
    // Postgres refuses several statements in one message of this protocol.
    const statement: QueryConfig & { queryMode: 'extended' } = { text: migration.sql, queryMode: 'extended' }
    await this.#client.query(statement)
    await this.#reset(LOCK_TIMEOUT)
    await this.#run({ ...migration, sql: '' })
  }
}

/** What Postgres says about a file, with the line where it knows one. */
function problemText({ file, sql, isTransaction }: Migration, error: unknown): string {
  if (!(error instanceof DatabaseError))
    return `${file}: ${error instanceof Error ? error.message : String(error)}`
  // That of a statement in a function is in another text.
  const inFile = error.internalQuery === sql ? error.internalPosition : undefined
  const position = isTransaction ? inFile : error.position
  if (position === undefined) return `${file}: ${error.message}`
  const before = Array.from(sql)
    .slice(0, Number(position) - 1)
    .join('')
    .split('\n')
  return `${file}, line ${before.length}: ${error.message}\n  ${sql.split('\n')[before.length - 1]?.trim()}`
}

/** Whether the expand files of a contract file were applied by an earlier run. */
function isDue(contract: Migration, migrations: readonly Migration[], known: ReadonlySet<string>): boolean {
  const before = migrations.slice(0, migrations.indexOf(contract))
  const expand = before.findLast((migration) => !isContract(migration))
  return expand === undefined || known.has(expand.name)
}

/** Whether no expand file comes after a contract file. */
function isLast(contract: Migration, migrations: readonly Migration[]): boolean {
  return migrations.slice(migrations.indexOf(contract)).every(isContract)
}

function requireOrder(migration: Migration, last: Applied | undefined): void {
  if (last !== undefined && byNumber(migration, last) <= 0)
    throw new MigrationError(`${migration.file} comes before ${last.name}, which is already applied`)
  if (migration.from !== (last?.schema ?? 'none'))
    throw new MigrationError(
      last === undefined
        ? `${migration.file} does not start from an empty database`
        : `${migration.file} does not start from the schema that ${last.name} leads to`,
    )
}

/**
 * `node lib/migrate.ts home` applies `home-db/migrations` to the database that the service is configured for. A renamed
 * service keeps the directory of its database: `node lib/migrate.ts home house-db`. `--all` also applies the contract
 * files that otherwise wait for the next deployment.
 */
if (import.meta.main) {
  try {
    const options = { all: { type: 'boolean' } } as const
    const { positionals, values } = parseArgs({ allowPositionals: true, options })
    const [service, database = `${service}-db`] = positionals
    if (service === undefined)
      throw new Error('Missing service. Usage: node lib/migrate.ts <service> [<service>-db] [--all]')
    const { Config } = (await import(`../${service}/src/config.ts`)) as { Config: z.ZodType<BaseConfig> }
    const config = readConfig(Config, process.env)
    await applyMigrations({
      connection: directConfig(config),
      settings: roleSettings(config),
      directory: `${database}/migrations`,
      all: values.all === true,
      onProgress: (text) => process.stdout.write(`${text}\n`),
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
