import type { ColumnCheck } from '../../model/columns.ts'
import { compareDecimals } from '../../model/decimals.ts'
import { addConstraint, dropConstraint } from '../database/sql.ts'
import type { Constraint, Table } from '../database/table.ts'
import { INDEX_DURATION } from './added-constraints.ts'
import { guard, validateConstraint } from './guards.ts'
import { columnLabel, type SchemaChange } from './steps.ts'

/** A constraint, before and after a change. */
interface Replacement {
  readonly was: Constraint
  readonly is: Constraint
  /** The new one in terms of the columns before they were renamed. */
  readonly former: Constraint
}

/** Replaces a constraint. Wider bounds apply before the new code starts, narrower ones after the previous code has ended. */
export function replaceConstraint(
  change: SchemaChange,
  after: Table,
  { was, is, former }: Replacement,
): void {
  const table = after.name
  const swap = [dropConstraint(table, was), addConstraint(table, is)]
  change.slugs.push(`change_${is.columns.join('_and_')}_of_${table}`)
  if (is.kind !== 'check' || was.kind !== 'check') {
    // The same rule, held by another kind of index.
    change.expand.start.push({
      sql: swap.join('\n'),
      description: `Replaces the index that keeps ${is.columns.join(', ')} of ${table} unique.`,
      tableLock: `Locks ${table} against writes while the index is built: ${INDEX_DURATION}.`,
    })
    change.direct.push(...swap)
    return
  }
  const isWider = exceeds(is.check, was.check)
  const isNarrower = exceeds(was.check, is.check)
  const what = is.check.kind === 'enum' ? 'list of values' : 'bounds'
  const column = after.columns.find(({ name }) => name === is.columns[0])
  if (column !== undefined)
    for (const value of removedValues(was.check, is.check))
      change.removedValues.push(`${columnLabel(after, column)} (its value ${value})`)
  const unchecked = addConstraint(table, is, ' NOT VALID')
  if (!isNarrower) {
    change.expand.start.push({
      sql: `${dropConstraint(table, was)}\n${unchecked}`,
      description: `Widens the ${what} of ${is.columns[0]} of ${table}.`,
    })
    change.expand.validate.push(validateConstraint(table, is))
    change.direct.push(...swap)
    return
  }
  const isReplaced = !isWider && was.name === is.name
  change.expand.guards.push(guard(table, former))
  change.contract.guards.push(guard(table, is))
  change.contract.start.push({
    sql: isReplaced ? `${dropConstraint(table, was)}\n${unchecked}` : unchecked,
    description: `Narrows the ${what} of ${is.columns[0]} of ${table}.`,
  })
  change.contract.validate.push(validateConstraint(table, is))
  // Between the old and the new bounds, the code checks values, old or new. Narrower ones of a renamed column wait.
  if (isWider)
    change.expand.start.push({
      sql: dropConstraint(table, was),
      description: `Drops the old ${what} of ${was.columns[0]} of ${table}.`,
    })
  change.direct.push(guard(table, is).sql, ...swap)
}

/** The values that an `enum` no longer has. */
function removedValues(was: ColumnCheck, is: ColumnCheck): string[] {
  return was.kind === 'enum' && is.kind === 'enum'
    ? was.values.filter((value) => !is.values.includes(value))
    : []
}

/** Whether a check allows values that another of the same column does not. */
function exceeds(check: ColumnCheck, other: ColumnCheck): boolean {
  if (check.kind === 'enum')
    return other.kind !== 'enum' || check.values.some((value) => !other.values.includes(value))
  const [min, max] = boundsOf(check)
  const [otherMin, otherMax] = boundsOf(other)
  const isBelow = otherMin !== undefined && (min === undefined || compare(min, otherMin) < 0)
  const isAbove = otherMax !== undefined && (max === undefined || compare(max, otherMax) > 0)
  return isBelow || isAbove
}

function boundsOf(check: ColumnCheck): readonly [min: string | undefined, max: string | undefined] {
  return 'min' in check || 'max' in check ? [check.min, check.max] : [undefined, undefined]
}

/** Compares numbers, exactly where they have no exponent. */
function compare(a: string, b: string): number {
  return `${a}${b}`.includes('e') ? Number(a) - Number(b) : compareDecimals(a, b)
}
