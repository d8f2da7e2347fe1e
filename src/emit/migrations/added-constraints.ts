import { identifier } from '../database/identifiers.ts'
import { addConstraint, createIndex, dropConstraint } from '../database/sql.ts'
import type { Constraint } from '../database/table.ts'
import { guard, validateConstraint } from './guards.ts'
import type { SchemaChange } from './steps.ts'

/** How long Postgres takes on an ordinary disk to build an index. */
export const INDEX_DURATION = 'about 2 s for 1,000,000 rows'

/**
 * Adds a constraint to existing columns, or to one of them and a new one. `values`: what rows without a value will have
 * in newly required columns. `isLate`: before the other steps, the table lacks a column.
 */
export function addToExistingColumns(
  change: SchemaChange,
  table: string,
  each: Constraint,
  {
    former,
    values,
    isLate,
  }: {
    readonly former: Constraint
    readonly values: ReadonlyMap<string, string | undefined>
    readonly isLate: boolean
  },
): void {
  const sql = addConstraint(table, each)
  change.slugs.push(`restrict_${each.columns.join('_and_')}_of_${table}`)
  if (isTargetOfReferences(each)) {
    change.expand.start.push({
      sql,
      description: `Allows references to rows of ${table}.`,
      tableLock: `Locks ${table} against writes while an index is built: ${INDEX_DURATION}.`,
    })
    change.direct.push(sql)
    return
  }
  // The table that a foreign key refers to may be new.
  if (isReference(each))
    change.expand.start.push({
      ...guard(table, former),
      tableLock: `Locks ${table} against reads and writes while its references are checked: ${INDEX_DURATION}.`,
    })
  else change.expand[isLate ? 'start' : 'guards'].push(guard(table, former, values))
  change.contract.guards.push(guard(table, each))
  change.direct.push(guard(table, each).sql, sql)
  addInPhase(change, table, each, {
    phase: 'contract',
    keys: 'start',
    description: `Restricts ${each.columns.join(', ')} of ${table}.`,
  })
}

/**
 * Adds the rule that a column had under its old name, where it holds until the contract phase. `rename` is the statement
 * that renames its values.
 */
export function addToRenamedColumns(
  change: SchemaChange,
  table: string,
  was: Constraint,
  each: Constraint,
  rename: string | undefined,
): void {
  change.direct.push(
    dropConstraint(table, was),
    ...(rename === undefined ? [] : [rename]),
    addConstraint(table, each),
  )
  // The values are copied before.
  addInPhase(change, table, each, { phase: 'expand', keys: 'end' })
  if (isReference(each)) change.contract.start.push({ sql: dropConstraint(table, was) })
}

/** Adds a constraint to a column that has its default or no value in every row. */
export function addToNewColumns(change: SchemaChange, table: string, each: Constraint): void {
  change.direct.push(addConstraint(table, each))
  addInPhase(change, table, each, { phase: 'expand', keys: 'start' })
}

/** Adds a constraint to a column whose values were written in the same transaction. */
export function addInSameTransaction(change: SchemaChange, table: string, each: Constraint): void {
  const steps = [guard(table, each), { sql: addConstraint(table, each) }]
  change.expand.start.push(...steps)
  change.direct.push(...steps.map(({ sql }) => sql))
}

interface Addition {
  readonly phase: 'expand' | 'contract'
  /** When a key is added whose index needs a lock. */
  readonly keys: 'start' | 'end'
  /** Describes a constraint that needs no index. */
  readonly description?: string
}

/** Adds a constraint so that reads and writes continue, if its kind allows that. */
function addInPhase(
  change: SchemaChange,
  table: string,
  each: Constraint,
  { phase: name, keys, description }: Addition,
): void {
  const phase = change[name]
  const columns = each.columns.join(', ')
  const makesUnique = `Makes ${columns} of ${table} unique.`
  if (isUnique(each)) {
    phase.outside.push({
      sql: createIndex(
        table,
        { name: each.name, unique: true, keys: each.columns.map((column) => ({ column })) },
        true,
      ),
      description: `Builds the index ${each.name}. Reads and writes of ${table} continue.`,
    })
    phase.end.push({
      sql: `ALTER TABLE ${identifier(table)} ADD CONSTRAINT ${identifier(each.name)} UNIQUE USING INDEX ${identifier(each.name)};`,
      description: makesUnique,
    })
  } else if (each.kind === 'key')
    phase[keys].push({
      sql: addConstraint(table, each),
      description: makesUnique,
      tableLock: `Locks ${table} against writes while an index is built: ${INDEX_DURATION}.`,
    })
  else {
    const sql = addConstraint(table, each, ' NOT VALID')
    phase.start.push(description === undefined ? { sql } : { sql, description })
    phase.validate.push(validateConstraint(table, each))
  }
}

/** A unique constraint that an index on a table in use can become. */
function isUnique(each: Constraint): boolean {
  return each.kind === 'key' && !each.isHashed
}

/** Whether a constraint is a foreign key. */
export function isReference({ kind }: Constraint): boolean {
  return kind === 'fkey'
}

/** Whether a constraint is the key over `id` and the parent. It always holds, because `id` is unique. */
export function isTargetOfReferences({ kind, columns }: Constraint): boolean {
  return kind === 'key' && columns.includes('id')
}
