import type { ColumnCheck } from '../../model/columns.ts'
import { compareDecimals } from '../../model/decimals.ts'
import { addConstraint } from '../database/sql.ts'
import type { Constraint, Table } from '../database/table.ts'
import {
  type Change,
  columnLabel,
  dropConstraintOf,
  lockOf,
  type MigrationStep,
  validateConstraint,
} from './change.ts'
import { guard } from './guards.ts'

/** Replaces the index that holds a rule by one of another kind. */
export function replaceIndex(table: Table, constraint: Constraint, was: Constraint): Change {
  const step = {
    sql: `${dropConstraintOf(table, was).sql}\n${addConstraint(table.name, constraint)}`,
    description: `Replaces the index that keeps ${constraint.columns.join(', ')} of ${table.name} unique.`,
    lock: lockOf(table, 'writes', 'while the index is built'),
  }
  return { slug: slugOf(table, constraint), expand: { start: [step] } }
}

type Check = Constraint & { readonly kind: 'check' }

interface Replacement {
  readonly constraint: Check
  readonly was: Check
  /** The new one in terms of the columns before they were renamed. */
  readonly former: Check
  /** Renames the values of its column. */
  readonly update?: readonly MigrationStep[] | undefined
}

/** Replaces a check. Wider bounds apply before the new code starts, narrower ones after the previous code has ended. */
export function replaceCheck(table: Table, { constraint, was, former, update = [] }: Replacement): Change {
  const isWider = exceeds(former.check, was.check)
  const isNarrower = exceeds(was.check, former.check)
  const what = constraint.check.kind === 'enum' ? 'list of values' : 'bounds'
  const of = `${what} of ${constraint.columns[0]} of ${table.name}`
  const drop = dropConstraintOf(table, was)
  const unchecked = addConstraint(table.name, constraint, ' NOT VALID')
  const exchanged = `${drop.sql}\n${unchecked}`
  const validate = [validateConstraint(table, constraint)]
  const guards = isNarrower ? [guard(table.name, constraint)] : []
  const change = {
    slug: slugOf(table, constraint),
    direct: { start: [drop, ...update, ...guards, { sql: addConstraint(table.name, constraint) }] },
    ...changedValues(table, constraint, was.check, former.check),
  }
  if (!isNarrower) {
    const start = [{ ...drop, sql: exchanged, description: `Widens the ${of}.` }]
    return { ...change, expand: { start, validate } }
  }
  // Between the old and the new bounds, the code checks values, old or new. Narrower ones of a renamed column wait.
  const description = `Drops the old ${what} of ${was.columns[0]} of ${table.name}.`
  const sql = !isWider && was.name === constraint.name ? exchanged : unchecked
  return {
    ...change,
    expand: { guards: [guard(table.name, former)], start: isWider ? [{ ...drop, description }] : [] },
    contract: { guards, start: [{ ...drop, sql, description: `Narrows the ${of}.` }], validate },
  }
}

function slugOf(table: Table, { columns }: Constraint): string {
  return `change_${columns.join('_and_')}_of_${table.name}`
}

/** Names the values that an `enum` no longer has. */
function changedValues(
  table: Table,
  constraint: Constraint,
  was: ColumnCheck,
  is: ColumnCheck,
): Pick<Change, 'removedValues' | 'renames'> {
  const column = table.columns.find(({ name }) => name === constraint.columns[0])
  if (was.kind !== 'enum' || is.kind !== 'enum' || column === undefined) return {}
  const label = columnLabel(table, column)
  const removed = was.values.filter((value) => !is.values.includes(value))
  const added = is.values.filter((value) => !was.values.includes(value))
  const help = `write \`@was(${added[0]}: ${removed[0]})\` in \`${label}\` if the value was renamed`
  return {
    removedValues: removed.map((value) => ({ attribute: label, values: `its value ${value}` })),
    renames: removed.length === 1 && added.length === 1 ? [help] : [],
  }
}

/** Whether a check allows values that another of the same column does not. */
function exceeds(check: ColumnCheck, other: ColumnCheck): boolean {
  if (other.kind === 'enum')
    return check.kind !== 'enum' || check.values.some((value) => !other.values.includes(value))
  const [min, max] = boundsOf(check)
  const [otherMin, otherMax] = boundsOf(other)
  const isBelow = otherMin !== undefined && (min === undefined || compare(min, otherMin) < 0)
  const isAbove = otherMax !== undefined && (max === undefined || compare(max, otherMax) > 0)
  return isBelow || isAbove
}

function boundsOf(check: ColumnCheck): readonly [min: string | undefined, max: string | undefined] {
  if (check.kind === 'enum') {
    const lengths = check.values.map((value) => value.length)
    return [String(Math.min(...lengths)), String(Math.max(...lengths))]
  }
  return 'min' in check || 'max' in check ? [check.min, check.max] : [undefined, undefined]
}

/** Compares numbers, exactly where they have no exponent. */
function compare(a: string, b: string): number {
  return `${a}${b}`.includes('e') ? Number(a) - Number(b) : compareDecimals(a, b)
}
