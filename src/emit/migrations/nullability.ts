import { constraintName, identifier } from '../database/identifiers.ts'
import { dropConstraint } from '../database/sql.ts'
import type { Column, Table } from '../database/table.ts'
import { keepTimestamps } from '../database/timestamps.ts'
import { guardNotNull, validateConstraint } from './guards.ts'
import type { BackfillOf } from './schema-change.ts'
import { columnLabel, REWRITE_DURATION, type SchemaChange } from './steps.ts'

/** Lets a column be NULL. */
export function dropNotNull(change: SchemaChange, table: Table, { name }: Column): void {
  const sql = `ALTER TABLE ${identifier(table.name)} ALTER COLUMN ${identifier(name)} DROP NOT NULL;`
  change.slugs.push(`relax_${name}_of_${table.name}`)
  change.expand.start.push({ sql, description: `Makes ${name} of ${table.name} optional.` })
  change.direct.push(sql)
}

/**
 * Forbids NULL once the previous code has ended. Rows without a value get that of `backfillOf` or the default; if
 * neither says one, or they cannot share it, the migration fails and names them. A renamed column has both names until
 * then.
 */
export function setNotNull(
  change: SchemaChange,
  table: Table,
  { from, to }: { readonly from: Column; readonly to: Column },
  backfillOf: BackfillOf,
): void {
  const { name } = to
  const alter = `ALTER TABLE ${identifier(table.name)}`
  const required = `${alter} ALTER COLUMN ${identifier(name)} SET NOT NULL;`
  const value = isUnique(table, to) ? undefined : (backfillOf(columnLabel(table, to), to) ?? to.default)
  const updateOf = (column: string): string =>
    `${keepTimestamps(table)}UPDATE ${identifier(table.name)} SET ${identifier(column)} = ${value} WHERE ${identifier(column)} IS NULL;`
  const present = constraintName(table.name, [name], 'present')
  change.slugs.push(`require_${name}_of_${table.name}`)
  for (const [phase, known] of [
    [change.expand, from.name],
    [change.contract, name],
  ] as const) {
    if (value === undefined) phase.guards.push(guardNotNull(table.name, known))
    else
      phase.start.push({
        sql: updateOf(known),
        description: `Sets ${known} of the rows of ${table.name} without a value to ${value}.`,
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

function isUnique({ constraints }: Table, { name }: Column): boolean {
  return constraints.some(({ kind, columns }) => kind === 'key' && columns.every((each) => each === name))
}
