import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Client } from 'pg'
import { applyMigrations, differences, readObjects } from '#lib/migrate.ts'
import { MigrationError, migrationStates, schemaOf } from '#lib/migration-files.ts'
import { startDatabaseServer } from '../dev/database-server.ts'
import { removePostgresData, type RunningPostgres } from '../dev/postgres.ts'
import { identifier } from '../emit/database/identifiers.ts'
import { schemaScript } from '../emit/database/sql.ts'
import { type MigrationFolder, migrationNumber } from '../emit/migrations/plan.ts'
import { parseSchema } from '../emit/migrations/recorded-schema.ts'
import { isSystemError, systemErrorReason } from '../system-error.ts'
import { environmentError, usageError } from './command-error.ts'

const CONNECT_TIMEOUT_MS = 5000

const POSTGRES_URL = /^postgres(?:ql)?:\/\//

/**
 * The migrations that a database has, and when each was applied.
 *
 * @throws a `CommandError` if the URL is invalid, or the database cannot be reached or was made without migrations.
 */
export async function appliedMigrations(url: string): Promise<ReadonlyMap<string, Date>> {
  // The URL is not repeated in a message, because it contains the password.
  if (!POSTGRES_URL.test(url) || !URL.canParse(url))
    throw usageError('`--database` takes a URL, for example `postgres://user:password@localhost:5432/home`')
  let what = `connect to ${new URL(url).host || 'the database'}`
  try {
    return await withClient(url, async (client) => {
      what = 'read the migrations of the database'
      const { rows } = await client.query<{ name: string; applied_at: Date }>(
        'SELECT name, applied_at FROM _migration ORDER BY name',
      )
      return new Map(rows.map(({ name, applied_at: time }) => [name, time]))
    })
  } catch (error) {
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
  const objects = await withClient(wanted.url, async (client) => {
    await client.query(schemaScript(tables))
    return readObjects(client)
  })
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
        await withClient(url, insertSamples)
      }
      await apply(url, files, copy)
      const found = await withClient(url, readObjects)
      problems.push(...differences(objects, found).map((text) => `${folder.path} ${what}: ${text}`))
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error
      problems.push(`${folder.path} ${what}: ${error.message.replaceAll(`${copy}/`, '')}`)
    }
    await server.dropDatabase('found')
  }
  await server.dropDatabase('wanted')
  return problems
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

/** Values of each type except numbers, of which one set is likely to be allowed. */
const SAMPLES: readonly Readonly<Record<string, string>>[] = [
  'a',
  'sample',
  'a sample text that is long',
].map((text, index) => ({
  text: `'${text}'`,
  bytea: `'\\x${'00'.repeat(index)}'`,
  boolean: 'true',
  date: `'2026-01-0${index + 1}'`,
  'time without time zone': `'0${index}:00:00'`,
  'timestamp with time zone': `'2026-01-0${index + 1}T00:00:00Z'`,
  uuid: `'00000000-0000-7000-8000-000000000000'`,
}))

/** A value of an `enum`, in the check of its column. */
const enumValue = (check: string) => /= (?:ANY \(ARRAY\[)?('[^']*')/.exec(check)?.[1]
/** A bound of a number, in the check of its column. */
const bound = (check: string) => check.match(/(?<![\w.])-?\d+(?:\.\d+)?/g)?.at(-1)

/** Inserts a row into each table that takes one of the samples. References find it, because all ids are equal. */
async function insertSamples(client: Client): Promise<void> {
  const { rows } = await client.query<{
    table: string
    columns: string[]
    types: string[]
    checks: string[]
  }>(`
    SELECT relname AS table, array_agg(attname::text ORDER BY attnum) AS columns,
        array_agg(format_type(atttypid, NULL) ORDER BY attnum) AS types,
        array_agg(coalesce((
          SELECT string_agg(pg_get_constraintdef(pg_constraint.oid), ' ') FROM pg_constraint
            WHERE conrelid = attrelid AND contype = 'c' AND conkey = ARRAY[attnum]
        ), '') ORDER BY attnum) AS checks
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> '_migration'
        AND attnum > 0 AND NOT attisdropped
      GROUP BY pg_class.oid, relname ORDER BY pg_class.oid`)
  // A table comes after those that it refers to, or is filled in the second round.
  for (const { table, columns, types, checks } of [...rows, ...rows])
    for (const [index, sample] of SAMPLES.entries()) {
      const values = types.map((type, at) => {
        const check = checks[at] ?? ''
        return type in sample ? (enumValue(check) ?? sample[type]) : (bound(check) ?? String(index + 1))
      })
      const insert = `INSERT INTO ${identifier(table)} (${columns.map(identifier).join(', ')}) VALUES (${values.join(', ')})`
      const isInserted = await client.query(`${insert} ON CONFLICT DO NOTHING`).then(
        () => true,
        () => false,
      )
      if (isInserted) break
    }
}

async function withClient<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
