import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import { withSettings } from '#lib/config.ts'
import { applyMigrations } from '#lib/migrate.ts'
import { MigrationError } from '#lib/migration-files.ts'
import { startDatabaseServer } from '../dev/database-server.ts'
import { removePostgresData, type RunningPostgres } from '../dev/postgres.ts'
import { identifier } from '../emit/database/identifiers.ts'
import { schemaScript } from '../emit/database/sql.ts'
import type { Table } from '../emit/database/table.ts'
import { parseSchema } from '../emit/migrations/recorded-schema.ts'
import { type MigrationFolder, SCHEMA_FILE } from '../migration/folder.ts'
import { migrationNumber, migrationStates } from '../migration/migration-file.ts'
import { schemaOf } from '../migration/states.ts'
import { isSystemError, systemErrorReason } from '../system-error.ts'
import { environmentError, usageError } from './command-error.ts'
import { differences, readObjects } from './schema-objects.ts'

const CONNECT_TIMEOUT_MS = 5000

/** The SQLSTATE for a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

const POSTGRES_URL = /^postgres(?:ql)?:\/\//

/** When a migration was applied, and the hash of its file then. */
export interface AppliedFile {
  readonly time: Date
  readonly hash: string
}

/**
 * The migrations that a database has: none if it is new.
 *
 * @throws a `CommandError` if the URL is invalid, or the database cannot be reached.
 */
export async function appliedMigrations(url: string): Promise<ReadonlyMap<string, AppliedFile>> {
  // The URL is not repeated in a message, because it contains the password.
  if (!POSTGRES_URL.test(url) || !URL.canParse(url))
    throw usageError('`--database` takes a URL, for example `postgres://user:password@localhost:5432/home`')
  let what = `connect to ${new URL(url).host || 'the database'}`
  try {
    return await withClient(url, async (client) => {
      what = 'read the migrations of the database'
      const { rows } = await client.query<AppliedFile & { name: string }>(
        'SELECT name, hash, applied_at AS time FROM _migration ORDER BY name',
      )
      return new Map(rows.map(({ name, ...applied }) => [name, applied]))
    })
  } catch (error) {
    // No migration has ever run.
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return new Map()
    throw environmentError(`Could not ${what}: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  // One for each address of the host.
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (isSystemError(error)) return systemErrorReason(error)
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs the migrations of each directory on temporary databases: an empty one, and one that has rows before the last
 * change. Returns what went wrong, and how the results differ from the recorded schema.
 */
export async function checkMigrations(
  folders: readonly MigrationFolder[],
  say: (text: string) => void,
): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-check-'))
  const data = join(directory, 'postgres')
  const problems: string[] = []
  try {
    const { server, stop } = await startDatabaseServer({
      directory: data,
      connections: 10,
      onProblem: (text) => problems.push(text),
    })
    try {
      for (const folder of folders) {
        say(`Checking ${folder.path}`)
        const copy = join(directory, folder.path)
        await mkdir(copy, { recursive: true })
        problems.push(...(await checkFolder(server, folder, copy)))
      }
    } finally {
      await stop()
    }
  } finally {
    await removePostgresData(data)
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  return problems
}

async function checkFolder(
  server: RunningPostgres,
  folder: MigrationFolder,
  copy: string,
): Promise<string[]> {
  const tables = parseSchema(folder.schema ?? '')?.tables ?? []
  const wanted = await server.ensureDatabase('wanted')
  const made = await withClient(wanted.url, async (client) => {
    await client.query(schemaScript(tables))
    return [await readObjects(client), await readChecks(client)] as const
  }).catch((error: unknown) => {
    if (!isFailedMigration(error)) throw error
    return error.message
  })
  if (typeof made === 'string') {
    await server.dropDatabase('wanted')
    return [`${folder.path}/${SCHEMA_FILE}: ${made}`]
  }
  const [objects, checks] = made
  const files = folder.files.toSorted((a, b) => migrationNumber(a.name) - migrationNumber(b.name))
  const last = startOfLastChange(files)
  const problems: string[] = []
  for (const [what, before] of [
    ['on an empty database', 0],
    ['on a database with rows', last],
  ] as const) {
    const { url } = await server.ensureDatabase('found')
    try {
      if (before > 0) {
        await apply(url, files.slice(0, before), copy)
        await withClient(url, (client) => insertSamples(client, checks, tables))
      }
      await apply(url, files, copy)
      const found = await withClient(url, readObjects)
      problems.push(...differences(objects, found).map((text) => `${folder.path} ${what}: ${text}`))
    } catch (error) {
      if (!isFailedMigration(error)) throw error
      problems.push(`${folder.path} ${what}: ${error.message.replaceAll(`${copy}/`, '')}`)
    }
    await server.dropDatabase('found')
  }
  await server.dropDatabase('wanted')
  return problems
}

/** Whether a migration has failed, or has left a database or a connection with which nothing else works. */
function isFailedMigration(error: unknown): error is Error {
  return (
    error instanceof MigrationError ||
    error instanceof DatabaseError ||
    (error instanceof Error && error.message === 'Connection terminated unexpectedly')
  )
}

/** The number of files before the last change, all of whose files lead to one schema and have the same name. */
function startOfLastChange(files: MigrationFolder['files']): number {
  const changes = files.map(({ name, content }) => {
    const schema = schemaOf(migrationStates(content)?.to ?? '')
    return `${schema} ${name.replace(/^\d+_/, '').replace(/\..+$/, '')}`
  })
  return changes.findLastIndex((change) => change !== changes.at(-1)) + 1
}

async function apply(url: string, files: MigrationFolder['files'], directory: string): Promise<void> {
  await rm(directory, { recursive: true })
  await mkdir(directory, { recursive: true })
  for (const { name, content } of files) await writeFile(join(directory, basename(name)), content)
  await applyMigrations({ connection: { connectionString: url }, directory, all: true })
}

/** A value of each type except texts and numbers. */
const SAMPLES: Readonly<Record<string, string>> = {
  bytea: `''`,
  boolean: 'true',
  date: `'2026-01-01'`,
  'time without time zone': `'01:00:00'`,
  'timestamp with time zone': `'2026-01-01T00:00:00Z'`,
  uuid: `'00000000-0000-7000-8000-000000000000'`,
}

/** Longer texts are not worth the time, and at some length not even possible. */
const MAX_SAMPLE_LENGTH = 10_000_000

/** Returns a value of a type that a check allows. */
function sampleOf(type: string, check: string): string {
  // The values of an `enum`.
  const listed = /= (?:ANY \(ARRAY\[)?('[^']*')/.exec(check)?.[1]
  const minLength = /(?<!<)= (\d+)/.exec(check)?.[1]
  if (type === 'text') return listed ?? `'${'a'.repeat(Math.min(Number(minLength ?? 1), MAX_SAMPLE_LENGTH))}'`
  const bound = check.match(/(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]\d+)?/g)?.at(-1)
  return SAMPLES[type] ?? bound ?? '1'
}

interface TableChecks {
  readonly table: string
  readonly columns: readonly string[]
  readonly types: readonly string[]
  /** The names and the definitions of the checks that concern only this column, or empty. */
  readonly names: readonly string[]
  readonly checks: readonly string[]
}

async function readChecks(client: Client): Promise<TableChecks[]> {
  const { rows } = await client.query<TableChecks>(`
    SELECT relname AS table, array_agg(attname::text ORDER BY attnum) AS columns,
        array_agg(format_type(atttypid, NULL) ORDER BY attnum) AS types,
        array_agg(coalesce(name, '') ORDER BY attnum) AS names,
        array_agg(coalesce(definition, '') ORDER BY attnum) AS checks
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      CROSS JOIN LATERAL (
        SELECT string_agg(conname, ' ') AS name, string_agg(pg_get_constraintdef(oid), ' ') AS definition
          FROM pg_constraint WHERE conrelid = attrelid AND contype = 'c' AND conkey = ARRAY[attnum]
      ) AS own
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> '_migration'
        AND attnum > 0 AND NOT attisdropped
      GROUP BY pg_class.oid, relname ORDER BY pg_class.oid`)
  return rows
}

/**
 * Inserts a row into each table. References find it, because all ids are equal. Its values are also within the bounds
 * that `wanted` has, where the present ones allow that: rows that have to be corrected first are no mistake of a
 * migration.
 */
async function insertSamples(
  client: Client,
  wanted: readonly TableChecks[],
  tables: readonly Table[],
): Promise<void> {
  const present = await readChecks(client)
  // A table comes after those that it refers to, or is filled in the second round.
  for (const { table, columns, types, names, checks } of [...present, ...present]) {
    const now = named(tables, table)
    const later = wanted.find((each) => each.table === now?.name)
    const violated = new Set<string>()
    for (;;) {
      const values = types.map((type, at) => {
        const name = named(now?.columns ?? [], columns[at] ?? '')?.name
        const index = later?.columns.indexOf(name ?? '') ?? -1
        const isKept = later?.types[index] === type && !violated.has(names[at] ?? '')
        return sampleOf(type, (isKept ? later.checks[index] : checks[at]) ?? '')
      })
      const insert = `INSERT INTO ${identifier(table)} (${columns.map(identifier).join(', ')}) VALUES (${values.join(', ')})`
      const constraint = await client.query(`${insert} ON CONFLICT DO NOTHING`).then(
        () => undefined,
        (error: unknown) => (error instanceof DatabaseError ? error.constraint : undefined),
      )
      if (constraint === undefined || !names.includes(constraint) || violated.has(constraint)) break
      violated.add(constraint)
    }
  }
}

/** The table or column with a name, or with that former name. */
function named<Item extends { readonly name: string; readonly was?: string | undefined }>(
  items: readonly Item[],
  name: string,
): Item | undefined {
  return items.find((each) => each.name === name) ?? items.find((each) => each.was === name)
}

async function withClient<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({
    connectionString: withSettings(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
