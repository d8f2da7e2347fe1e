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
  /** The statement that renames the values of its column. */
  readonly update: string | undefined
}

/** Replaces a constraint. Wider bounds apply before the new code starts, narrower ones after the previous code has ended. */
export function replaceConstraint(
  change: SchemaChange,
  after: Table,
  { was, is, former, update }: Replacement,
): void {
  const table = after.name
  const replacing = (...between: readonly (string | undefined)[]): string[] =>
    [dropConstraint(table, was), ...between, addConstraint(table, is)].filter((sql) => sql !== undefined)
  change.slugs.push(`change_${is.columns.join('_and_')}_of_${table}`)
  if (is.kind !== 'check' || was.kind !== 'check') {
    // The same rule, held by another kind of index.
    change.expand.start.push({
      sql: replacing().join('\n'),
      description: `Replaces the index that keeps ${is.columns.join(', ')} of ${table} unique.`,
      tableLock: `Locks ${table} against writes while the index is built: ${INDEX_DURATION}.`,
    })
    change.direct.push(...replacing())
    return
  }
  const current = former.kind === 'check' ? former.check : is.check
  const isWider = exceeds(current, was.check)
  const isNarrower = exceeds(was.check, current)
  const what = is.check.kind === 'enum' ? 'list of values' : 'bounds'
  addRemovedValues(change, after, is, { was: was.check, is: current })
  const unchecked = addConstraint(table, is, ' NOT VALID')
  if (!isNarrower) {
    change.expand.start.push({
      sql: `${dropConstraint(table, was)}\n${unchecked}`,
      description: `Widens the ${what} of ${is.columns[0]} of ${table}.`,
    })
    change.expand.validate.push(validateConstraint(table, is))
    change.direct.push(...replacing(update))
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
  change.direct.push(...replacing(update, guard(table, is).sql))
}

/** Names the values that an `enum` no longer has: `Ticket.state (its value pending)`. */
function addRemovedValues(
  change: SchemaChange,
  table: Table,
  { columns: [name] }: Constraint,
  { was, is }: { readonly was: ColumnCheck; readonly is: ColumnCheck },
): void {
  const column = table.columns.find((each) => each.name === name)
  if (was.kind !== 'enum' || is.kind !== 'enum' || column === undefined) return
  const label = columnLabel(table, column)
  const removed = was.values.filter((value) => !is.values.includes(value))
  const added = is.values.filter((value) => !was.values.includes(value))
  change.removedValues.push(...removed.map((value) => `${label} (its value ${value})`))
  if (removed.length === 1 && added.length === 1)
    change.renames.push(`write \`@was(${added[0]}: ${removed[0]})\` in \`${label}\` if the value was renamed`)
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
