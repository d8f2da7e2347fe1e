import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A file with SQL that changes the schema. */
export interface Migration {
  /** `0001_initial` */
  readonly name: string
  readonly file: string
  readonly statements: readonly Statement[]
  /** SHA-256 of the file. CRLF counts as LF, because version control may convert it. */
  readonly hash: string
  /** The state that it starts from; `none` for an empty database. */
  readonly from: string
  /** The state that it leads to: see `supports`. */
  readonly to: string
  readonly isTransaction: boolean
}

/** A statement without its semicolon, and the line where it begins. */
export interface Statement {
  readonly text: string
  readonly line: number
}

/** A migration that cannot be applied. The message says which one and why. */
export class MigrationError extends Error {}

const FILE_NAME = /^\d{4,}_.+\.sql$/
const STATE = '[0-9a-f]{64}(?:[-~]\\d+)?!?'
const SCHEMAS = new RegExp(`^-- schema: (none|${STATE}) -> (${STATE})$`, 'm')
const NO_TRANSACTION = /^(?:(?:--.*)?\n)*-- no transaction\n/

/** Reads the migrations of a directory in the order of their numbers. Throws MigrationError. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => FILE_NAME.test(name))
  if (names.length === 0) throw new MigrationError(`${directory} contains no migrations`)
  const migrations = await Promise.all(names.map((name) => readMigration(path.join(directory, name))))
  return migrations.sort(byNumber)
}

async function readMigration(file: string): Promise<Migration> {
  const sql = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  const header = migrationStates(sql)
  if (header === undefined) throw new MigrationError(`${file} has no line \`-- schema: <state> -> <state>\``)
  return {
    name: path.basename(file, '.sql'),
    file,
    statements: splitStatements(sql),
    hash: createHash('sha256').update(sql).digest('hex'),
    ...header,
    isTransaction: !NO_TRANSACTION.test(sql),
  }
}

/** The states that a file's header names. */
export function migrationStates(sql: string): Pick<Migration, 'from' | 'to'> | undefined {
  const [, from, to] = SCHEMAS.exec(sql) ?? []
  return from === undefined || to === undefined ? undefined : { from, to }
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

/** A comment, a constant, a quoted identifier, a dollar-quoted text, a word, or any other character. */
const TOKEN =
  /--.*|\/\*[^]*?\*\/|\b[eE]'(?:\\[^]|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$(\w*)\$[^]*?\$\1\$|[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|[^]/giy

/** Splits SQL at the semicolons that end statements. */
export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = []
  let start: number | undefined
  /** Of `BEGIN ATOMIC` and `CASE` in the body of a function, whose semicolons end no statement of the file. */
  let depth = 0
  let previous = ''
  const end = (index: number) => {
    if (start !== undefined)
      statements.push({ text: sql.slice(start, index), line: sql.slice(0, start).split('\n').length })
    start = undefined
    depth = 0
  }
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (/^(?:\s|--|\/\*)/.test(token)) continue
    if (token === ';' && depth === 0) {
      end(index)
      continue
    }
    start ??= index
    const word = token.toUpperCase()
    if (word === 'ATOMIC' && previous === 'BEGIN') depth = 1
    else if (depth > 0 && word === 'CASE') depth++
    else if (depth > 0 && word === 'END') depth--
    previous = word
  }
  end(sql.length)
  return statements
}
