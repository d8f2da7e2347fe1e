import { MAX_NAME_BYTES } from '../../naming.ts'
import type { Constraint, ConstraintRule } from './table.ts'
import { sha256 } from '../../sha256.ts'

/** Column with the id of the token that created an entity. Entities of `#auth` services do not have it. */
export const OWNER_COLUMN = '_owner'
/** Column with the id of a struct entry's parent. */
export const PARENT_COLUMN = '_parent'

/** Column of `#versioned`. */
export const VERSION_COLUMN = '_version'

/** Columns of `#timestamps`. */
export const CREATED_COLUMN = '_created_at'
export const UPDATED_COLUMN = '_updated_at'

/** The purpose of a constraint, index or trigger, which is the suffix of its name. */
export type ConstraintKind =
  | 'pkey'
  | 'key'
  | 'fkey'
  | 'check'
  | 'idx'
  | 'desc'
  | 'serialize'
  | 'touch'
  | 'version'
  | 'sync'
  | 'before'
  | 'present'

const DIGEST_LENGTH = 8

/**
 * The name of a constraint or index: `home__beds__check`. It is unique in the schema, because names of tables and
 * columns do not contain `__`. Names that are too long for Postgres are cut and get a digest of the full name.
 */
export function constraintName(table: string, columns: readonly string[], kind: ConstraintKind): string {
  const name = [table, ...columns, kind].join('__')
  if (name.length <= MAX_NAME_BYTES) return name
  const digest = sha256(name).slice(0, DIGEST_LENGTH)
  const suffix = `__${digest}__${kind}`
  return name.slice(0, MAX_NAME_BYTES - suffix.length) + suffix
}

/** A quoted identifier, so that reserved words can be used as names. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * A string constant. Backslashes need no escaping, because `standard_conforming_strings` is on by default. Carriage
 * returns do, because version control may convert the ends of lines.
 */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return text.includes('\r') ? `E${quoted.replaceAll('\\', '\\\\').replaceAll('\r', '\\r')}` : quoted
}

/** A comment on a line of its own. What would end it is escaped as in JSON. */
export function comment(text: string): string {
  return `-- ${text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, escaped)}`
}

function escaped(character: string): string {
  const json = JSON.stringify(character).slice(1, -1)
  return json === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : json
}

/** The body of a function or of `DO` as a constant that nothing in it ends. */
export function dollarQuoted(body: string): string {
  let delimiter = '$$'
  for (let number = 1; `${body}$`.includes(delimiter); number++) delimiter = `$_${number}$`
  return `${delimiter}${body}${delimiter}`
}

/** A constraint with its name. */
export function constraint(table: string, columns: readonly string[], rule: ConstraintRule): Constraint {
  return { name: constraintName(table, columns, rule.kind), columns, ...rule }
}
