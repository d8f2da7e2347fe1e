import { compareDecimals } from '../../model/decimals.ts'
import { addConstraint, dropConstraint } from '../database/sql.ts'
import type { Bounds, Column, Constraint, Table } from '../database/table.ts'
import { INDEX_DURATION } from './added-constraints.ts'
import { guard, validateConstraint } from './guards.ts'
import type { SchemaChange, TablePair } from './steps.ts'

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
  { before, after }: TablePair,
  { was, is, former }: Replacement,
): void {
  const table = after.name
  const swap = [dropConstraint(table, was), addConstraint(table, is)]
  change.slugs.push(`change_${is.columns.join('_and_')}_of_${table}`)
  if (is.kind !== 'check') {
    // The same rule, held by another kind of index.
    change.expand.start.push({
      sql: swap.join('\n'),
      description: `Replaces the index that keeps ${is.columns.join(', ')} of ${table} unique.`,
      tableLock: `Locks ${table} against writes while the index is built: ${INDEX_DURATION}.`,
    })
    change.direct.push(...swap)
    return
  }
  const [old, current] = [columnIn(before, was.columns[0]), columnIn(after, is.columns[0])]
  const isWider = exceeds(current, old)
  const isNarrower = exceeds(old, current)
  const what = current.values === undefined ? 'bounds' : 'list of values'
  change.removedValues.push(...removedValues(after, old, current))
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

type Limits = Pick<Column, 'attribute' | 'name' | 'bounds' | 'values'>

function columnIn({ columns }: Table, name = ''): Limits {
  return columns.find((column) => column.name === name) ?? { name }
}

/** The values that an `enum` no longer has, by name: `Ticket.state (its value pending)`. */
function removedValues({ entity }: Table, old: Limits, current: Limits): string[] {
  const { attribute, name, values } = current
  if (values === undefined) return []
  const removed = old.values?.filter((value) => !values.includes(value)) ?? []
  return removed.map((value) => `${entity}.${attribute ?? name} (its value ${value})`)
}

/** Whether the limits of a column allow values that others do not. */
function exceeds(limits: Limits, others: Limits): boolean {
  if (others.values === undefined) return exceedsBounds(limits.bounds, others.bounds)
  return limits.values?.every((value) => others.values?.includes(value)) !== true
}

function exceedsBounds(
  [min, max]: Bounds = [null, null],
  [otherMin, otherMax]: Bounds = [null, null],
): boolean {
  const isBelow = otherMin !== null && (min === null || compare(min, otherMin) < 0)
  const isAbove = otherMax !== null && (max === null || compare(max, otherMax) > 0)
  return isBelow || isAbove
}

/** Compares numbers, exactly where they have no exponent. */
function compare(a: string, b: string): number {
  return `${a}${b}`.includes('e') ? Number(a) - Number(b) : compareDecimals(a, b)
}
