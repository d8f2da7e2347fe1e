import { constraintName, identifier } from '../database/identifiers.ts'
import { dropConstraint } from '../database/sql.ts'
import type { Column, Table } from '../database/table.ts'
import { keepTimestamps } from '../database/timestamps.ts'
import { BATCH_SIZE, inBatches } from './batches.ts'
import { ValueNames } from './former-columns.ts'
import { guardNotNull, validateConstraint } from './guards.ts'
import { type BackfillOf, columnLabel, REWRITE_DURATION, type SchemaChange } from './steps.ts'

/** Lets a column be NULL. */
export function dropNotNull(change: SchemaChange, table: Table, { name }: Column): void {
  const sql = `ALTER TABLE ${identifier(table.name)} ALTER COLUMN ${identifier(name)} DROP NOT NULL;`
  change.slugs.push(`relax_${name}_of_${table.name}`)
  change.expand.start.push({ sql, description: `Makes ${name} of ${table.name} optional.` })
  change.direct.push(sql)
}

/** Returns what rows get that have no value in a newly required column; `undefined` if nobody says it or it has to differ. */
export function valueOfRows(table: Table, column: Column, backfillOf: BackfillOf): string | undefined {
  return isUnique(table, column)
    ? undefined
    : (backfillOf(columnLabel(table, column), column) ?? column.default)
}

function isUnique({ constraints }: Table, { name }: Column): boolean {
  return constraints.some(({ kind, columns }) => kind === 'key' && columns.every((each) => each === name))
}

/**
 * Forbids NULL once the previous code has ended. Rows without a value get `value`; if it is `undefined`, the migration
 * fails and names them. A renamed column has both names until then.
 */
export function setNotNull(
  change: SchemaChange,
  table: Table,
  { from, to }: { readonly from: Column; readonly to: Column },
  value: string | undefined,
): void {
  const { name } = to
  const alter = `ALTER TABLE ${identifier(table.name)}`
  const required = `${alter} ALTER COLUMN ${identifier(name)} SET NOT NULL;`
  const former = value && new ValueNames(from, to).sqlBefore(value)
  const updateOf = (column: string): string =>
    `${keepTimestamps(table)}UPDATE ${identifier(table.name)} SET ${identifier(column)} = ${value} WHERE ${isNull(column)};`
  const present = constraintName(table.name, [name], 'present')
  change.slugs.push(`require_${name}_of_${table.name}`)
  const describe = (column: string): string =>
    `Sets ${column} of the rows of ${table.name} without a value to ${value}`
  if (value === undefined) {
    if (!isUnique(table, to) && to.type !== 'bytea')
      change.required.push({
        attribute: columnLabel(table, to),
        table: table.name,
        column: name,
        type: to.type,
      })
    change.expand.guards.push(guardNotNull(table.name, from.name))
    change.contract.guards.push(guardNotNull(table.name, name))
  } else {
    change.expand.outside.push({
      sql: inBatches(table, `${identifier(from.name)} = ${former}`, ` AND ${isNull(from.name)}`),
      description: `${describe(from.name)}, ${BATCH_SIZE.toLocaleString('en')} rows at a time.`,
      lockNote: 'Locks only the rows that it changes, for less than a second.',
    })
    // Before the statements that lock the whole table until the end of the transaction.
    change.contract.guards.push({
      sql: updateOf(name),
      description: `${describe(name)}.`,
      lockNote: `Locks these rows against writes: ${REWRITE_DURATION}.`,
    })
  }
  change.contract.start.push({
    sql: `${alter} ADD CONSTRAINT ${identifier(present)} CHECK (${identifier(name)} IS NOT NULL) NOT VALID;`,
  })
  change.contract.validate.push(validateConstraint(table.name, { name: present }))
  change.contract.end.push(
    { sql: required, description: `Makes ${name} of ${table.name} required.` },
    { sql: dropConstraint(table.name, { name: present }) },
  )
  change.direct.push(value === undefined ? guardNotNull(table.name, name).sql : updateOf(name), required)
}

function isNull(column: string): string {
  return `${identifier(column)} IS NULL`
}
