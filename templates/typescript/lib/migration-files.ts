import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A file with SQL that changes the schema. */
export interface Migration {
  /** `0001_initial` */
  readonly name: string
  readonly file: string
  /** With LF as the end of lines, because version control may convert it. */
  readonly sql: string
  /** SHA-256 of `sql`. */
  readonly hash: string
  /** The state that it starts from; `none` for an empty database. */
  readonly from: string
  /** The state that it leads to: see `supports`. */
  readonly to: string
  readonly isTransaction: boolean
}

/** A migration that cannot be applied. The message says which one and why. */
export class MigrationError extends Error {}

const FILE_NAME = /^\d{4,}_.+\.sql$/
/** The comments at the start of a file. */
const HEADER = /^(?:--[^\n]*\n|\n)*/
const STATE = '[0-9a-f]{64}(?:[-~]\\d+)?!?'
const STATES = new RegExp(`(?<![^\\n])-- schema: (none|${STATE}) -> (${STATE})\\n`)
const NO_TRANSACTION = /(?<![^\n])-- no transaction\n/

/** Reads the migrations of a directory in the order of their numbers. Throws MigrationError. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => FILE_NAME.test(name))
  if (names.length === 0) throw new MigrationError(`${directory} contains no migrations`)
  const migrations = await Promise.all(names.map((name) => readMigration(path.join(directory, name))))
  return migrations.sort(byNumber)
}

async function readMigration(file: string): Promise<Migration> {
  const sql = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  const [header = ''] = HEADER.exec(`${sql}\n`) ?? []
  const [, from, to] = STATES.exec(header) ?? []
  if (from === undefined || to === undefined)
    throw new MigrationError(`${file} has no line \`-- schema: <state> -> <state>\``)
  return {
    name: path.basename(file, '.sql'),
    file,
    sql,
    hash: createHash('sha256').update(sql).digest('hex'),
    from,
    to,
    isTransaction: !NO_TRANSACTION.test(header),
  }
}

/** Whether a migration runs after the code before it has ended. */
export const isContract = ({ name }: Pick<Migration, 'name'>) => name.endsWith('.contract')

/** A migration that a database has, and the state that it has led to. */
export interface AppliedMigration {
  /** `0001_initial` */
  readonly name: string
  /** See `supports`. */
  readonly schema: string
}

/** The hash of the schema that a state is or leads to. */
export const schemaOf = (state: string) => state.replace(/[-~!].*$/, '')

/**
 * Whether code of a schema can work with a database. A state is the hash of a schema, `-2` if two more files come
 * before its code can start, `~1` if one file comes after that, `!` if code of the schema before can no longer work.
 */
export function supports(applied: readonly AppliedMigration[], hash: string): boolean {
  for (const { schema } of applied.toSorted(byNumber).toReversed()) {
    if (schemaOf(schema) === hash && !/-\d/.test(schema)) return true
    if (schema.endsWith('!')) return false
  }
  return false
}

/** Compares migrations by their numbers. */
export function byNumber(a: Pick<AppliedMigration, 'name'>, b: Pick<AppliedMigration, 'name'>): number {
  return Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10)
}
