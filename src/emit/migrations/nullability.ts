import { constraintName, identifier } from '../database/identifiers.ts'
import type { Column, Table } from '../database/table.ts'
import {
  alterTable,
  type Change,
  columnLabel,
  type ColumnPair,
  dropConstraintOf,
  type MigrationStep,
  type Phase,
  REWRITE_DURATION,
  validateConstraint,
} from './change.ts'
import { ValueNames } from './former-columns.ts'
import { guardNotNull } from './guards.ts'
import { inBatches, updateRows } from './rows.ts'

/** Returns the value of existing rows for a new or newly required attribute as SQL; `undefined` if the user has not said it. */
export type BackfillOf = (attribute: string, column: Column) => string | undefined

/** Lets a column be NULL. `reason` ends the sentence. */
export function dropNotNull(table: Table, { name }: Column, reason = ''): MigrationStep {
  const description = `Makes ${name} of ${table.name} optional${reason}.`
  return alterTable(table, `ALTER COLUMN ${identifier(name)} DROP NOT NULL`, description)
}

/** Forbids NULL in a column whose rows have values. A checked CHECK saves reading them again. */
export function setNotNull(
  table: Table,
  { name }: Column,
  reason = '',
): Phase & Required<Pick<Phase, 'start'>> {
  const column = identifier(name)
  const present = { name: constraintName(table.name, [name], 'present') }
  const check = `ADD CONSTRAINT ${identifier(present.name)} CHECK (${column} IS NOT NULL) NOT VALID`
  const description = `Makes ${name} of ${table.name} required${reason}.`
  return {
    start: [alterTable(table, check)],
    validate: [validateConstraint(table, present)],
    end: [
      alterTable(table, `ALTER COLUMN ${column} SET NOT NULL`, description),
      dropConstraintOf(table, present),
    ],
  }
}

interface RequiredColumn {
  readonly name: string
  /** What rows without a value get, as SQL, by its former name. */
  readonly formerValue: string | undefined
  readonly change: Change
}

/**
 * Forbids NULL once the previous code has ended. Rows without a value get the one that the user says, or the default;
 * if there is none or it has to differ, the migration fails and names them. A renamed column has both names until then.
 */
export function requireColumn(
  table: Table,
  { from, column }: ColumnPair,
  backfillOf: BackfillOf,
): RequiredColumn {
  const { name } = column
  const attribute = columnLabel(table, column)
  const isUnique = table.constraints.some(
    ({ kind, columns }) => kind === 'key' && columns.every((each) => each === name),
  )
  const value = isUnique ? undefined : (backfillOf(attribute, column) ?? column.default)
  const formerValue = value && new ValueNames(from, column).sqlBefore(value)
  const describe = (updated: string): string =>
    `Sets ${updated} of the rows of ${table.name} without a value to ${value}`
  const before: Phase =
    formerValue === undefined
      ? { guards: [guardNotNull(table.name, from.name)] }
      : {
          outside: [
            inBatches(table, `${identifier(from.name)} = ${formerValue}`, {
              condition: isNull(from.name),
              does: 'changes',
              description: describe(from.name),
            }),
          ],
        }
  const after: MigrationStep =
    value === undefined
      ? guardNotNull(table.name, name)
      : {
          sql: updateRows(table, `${identifier(name)} = ${value}`, isNull(name)),
          description: `${describe(name)}.`,
          lockNote: `Locks these rows against writes: ${REWRITE_DURATION}.`,
        }
  const change: Change = {
    slug: `require_${name}_of_${table.name}`,
    expand: before,
    // Before the statements that lock the whole table until the end of the transaction.
    contract: { guards: [after], ...setNotNull(table, column) },
    direct: { start: [after, alterTable(table, `ALTER COLUMN ${identifier(name)} SET NOT NULL`)] },
    ...(value === undefined && !isUnique && column.type !== 'bytea' ? { required: { table, column } } : {}),
  }
  return { name, formerValue, change }
}

function isNull(column: string): string {
  return `${identifier(column)} IS NULL`
}
