import { createHash } from 'node:crypto'
import { MAX_NAME_BYTES } from '../../model/names.ts'

/** Column of every entity but those of `#auth` services: the id of the token that created it. */
export const OWNER_COLUMN = '_owner'
/** Column of every struct's entries: the entity that they belong to. */
export const PARENT_COLUMN = '_parent'

/** What a constraint, index or trigger is for. */
export type ConstraintKind = 'pkey' | 'key' | 'fkey' | 'check' | 'idx' | 'serialize'

const DIGEST_LENGTH = 8

/**
 * The name of a constraint or index: `home__beds__check`. Names of tables and columns have no `__` inside, so
 * that no two are alike in a schema, where tables and indexes share one space of names. One that is longer
 * than Postgres takes is cut and ends in a digest of the whole.
 */
export function constraintName(table: string, columns: readonly string[], kind: ConstraintKind): string {
  const name = [table, ...columns, kind].join('__')
  if (name.length <= MAX_NAME_BYTES) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_LENGTH)
  const suffix = `__${digest}__${kind}`
  return name.slice(0, MAX_NAME_BYTES - suffix.length) + suffix
}

/** Always quoted, so that words which SQL reserves are names like all others. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A string constant (`standard_conforming_strings` is on by default: a backslash means nothing). */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
