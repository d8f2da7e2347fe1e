import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { type MigrationFolder } from '../migration/folder.ts'
import {
  hasStatements,
  isTransaction,
  type MigrationFile,
  migrationHash,
  migrationNumber,
  migrationStates,
} from '../migration/migration-file.ts'
import { isFinal, schemaOf } from '../migration/states.ts'
import { sha256 } from '../sha256.ts'
import { PlatformError } from './platform-error.ts'

/** What happens to the files of a `migrations` directory that a database does not have. */
export interface PendingMigrations {
  /** `home-db/migrations` */
  readonly path: string
  /**
   * Those that lead from one schema to another. The database has got past the schema that they start from, because
   * `dev` brought it to a definition, so they only count as applied.
   */
  readonly skipped: readonly MigrationFile[]
  /** Those of the user, which change no table that Portico knows. */
  readonly own: readonly MigrationFile[]
  /** Whether no other file is pending. */
  readonly isComplete: boolean
  /** Whether the first file that is not skipped starts from the schema of the database, so that the runner can go on. */
  readonly isNext: boolean
}

/**
 * Compares a directory with a database. `applied` has the names of its files, without `.sql`, and `hash` is that of its
 * schema. Files that start from this schema, and those after them, are left to the runner. A file without statements is
 * one that the user has not written yet.
 */
export function pendingMigrations(
  { path: folder, files }: MigrationFolder,
  applied: Iterable<string>,
  hash: string,
): PendingMigrations {
  const names = new Set(files.map(({ name }) => nameOf(name)))
  const known = new Set(applied)
  // `portico migration rebase` gives files other numbers, and other branches have other files.
  const foreign = new Set([...known].filter((name) => !names.has(name)).map(slugOf))
  const pending = files
    .toSorted((a, b) => migrationNumber(a.name) - migrationNumber(b.name))
    .filter(({ name }) => !known.has(nameOf(name)) && !foreign.has(slugOf(nameOf(name))))
    .filter((file) => !isOwn(file) || hasStatements(file.content))
  const next = pending.findIndex((file) => startsFrom(file, hash))
  const passed = next === -1 ? pending : pending.slice(0, next)
  const rest = pending.slice(passed.length)
  const nextChange = rest.findIndex((file) => !isOwn(file))
  const runnable = nextChange === -1 ? rest : rest.slice(0, nextChange)
  return {
    path: folder,
    isNext: next !== -1 && foreign.size === 0 && !passed.some(isOwn),
    skipped: passed.filter((file) => !isOwn(file)),
    own: [...passed, ...runnable].filter(isOwn),
    isComplete: runnable.length === rest.length,
  }
}

/** Whether a file is the user's: it leads from a schema to the same one. */
export function isOwn({ content }: MigrationFile): boolean {
  const states = migrationStates(content)
  return states !== undefined && states.from === states.to
}

function startsFrom({ content }: MigrationFile, hash: string): boolean {
  const from = migrationStates(content)?.from ?? ''
  return isFinal(from) && schemaOf(from) === hash
}

/** The name that databases record. */
export function nameOf(file: string): string {
  return path.basename(file, '.sql')
}

/** Identifies the files of a directory and what is in them. */
export function digestOf({ files }: MigrationFolder): string {
  return sha256(files.map(({ name, content }) => `${name} ${migrationHash(content)}\n`).join(''))
}

function slugOf(name: string): string {
  return name.replace(/^\d+_/, '')
}

/**
 * Applies the pending files of a directory with the runner of deployments, which knows those that were applied. Throws
 * PlatformError with the file and the line that failed.
 */
export async function runMigrations(url: string, folder: MigrationFolder): Promise<void> {
  const { applyMigrations } = await import('#lib/migrate.ts')
  const { MigrationError } = await import('#lib/migration-files.ts')
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-migrations-'))
  try {
    const files = folder.files.filter((file) => !isOwn(file) || hasStatements(file.content))
    for (const { name, content } of files) await writeFile(path.join(directory, name), content)
    await applyMigrations({ connection: { connectionString: url }, directory, all: true })
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    throw new PlatformError(error.message.replaceAll(`${directory}/`, `${folder.path}/`), CORRECT)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const CORRECT = 'correct the file, or run with `--fresh` to delete all data'

/** Runs the user's files in the transaction of a schema update, and records them together with the skipped ones. */
export async function runOwnMigrations(
  sql: postgres.TransactionSql,
  { path: folder, own, skipped }: PendingMigrations,
): Promise<void> {
  if (own.length > 0)
    await sql.unsafe(
      `CREATE OR REPLACE FUNCTION pg_temp.run(text) RETURNS void LANGUAGE plpgsql AS 'BEGIN EXECUTE $1; END'`,
    )
  for (const file of own) {
    // While nothing else uses the database, nothing has to go on during the change.
    const text = isTransaction(file.content)
      ? file.content
      : file.content.replaceAll(/\bCONCURRENTLY\b/gi, (word) => ' '.repeat(word.length))
    try {
      await sql`SELECT pg_temp.run(${text})`
    } catch (error) {
      throw new PlatformError(`${folder}/${file.name}${problemOf(error, text)}`, CORRECT)
    }
  }
  await recordMigrations(sql, [...skipped, ...own])
}

/** Records files as applied. */
export async function recordMigrations(
  sql: postgres.TransactionSql,
  files: readonly MigrationFile[],
): Promise<void> {
  for (const { name, content } of files)
    await sql`
      INSERT INTO _migration (name, hash, schema)
      VALUES (${nameOf(name)}, ${migrationHash(content)}, ${migrationStates(content)?.to ?? ''})
      ON CONFLICT (name) DO NOTHING`
}

/** What Postgres says about a file, with the line where it knows one. */
function problemOf(error: unknown, text: string): string {
  if (!(error instanceof postgres.PostgresError))
    return `: ${error instanceof Error ? error.message : String(error)}`
  // That of a statement in a function is in another text.
  if (error.internal_query !== text || error.internal_position === undefined) return `: ${error.message}`
  const before = Array.from(text)
    .slice(0, Number(error.internal_position) - 1)
    .join('')
    .split('\n')
  return `, line ${before.length}: ${error.message}\n  ${text.split('\n')[before.length - 1]?.trim()}`
}
