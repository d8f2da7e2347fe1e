import { constraintName } from '../database/identifiers.ts'
import { constraintRule } from '../database/sql.ts'
import type { Constraint, Table } from '../database/table.ts'
import {
  addToExistingColumns,
  addToId,
  addToNewColumns,
  addToRenamedColumns,
  addToWrittenColumns,
} from './added-constraints.ts'
import { type Change, describeRelaxed, dropConstraintOf, type TablePair } from './change.ts'
import type { ChangedColumns } from './columns.ts'
import { ValueNames } from './former-columns.ts'
import { guard } from './guards.ts'
import { replaceCheck, replaceIndex } from './replaced-constraints.ts'

interface ChangedConstraints {
  readonly dropped: readonly Change[]
  readonly added: readonly Change[]
}

/** Compares the constraints of a table of one kind: foreign keys, checks, or all others. Those of retyped columns are gone. */
export function compareConstraints(
  { before, after: table }: TablePair,
  columns: ChangedColumns,
  kind: 'fkey' | 'check' | 'key',
): ChangedConstraints {
  const select = ({ constraints, foreignKeys }: Table): Constraint[] =>
    [...constraints, ...foreignKeys].filter((each) =>
      kind === 'key' ? each.kind !== 'fkey' && each.kind !== 'check' : each.kind === kind,
    )
  const old = new Map(select(before).map((each) => [identityOf(each), each]))
  const current = select(table).map((each) => withFormerNames(table, each, columns))
  const remaining = new Set(current.map(({ former }) => identityOf(former)))
  return {
    dropped: [...old]
      .filter(([identity, each]) => !remaining.has(identity) && !concerns(each, columns.retyped))
      .flatMap(([, each]) => dropConstraints(table, each, columns)),
    added: current.flatMap((each) => addConstraints(table, each, old.get(identityOf(each.former)), columns)),
  }
}

/** What remains the same: the name, or what a foreign key refers to. */
function identityOf(each: Constraint): string {
  return each.kind === 'fkey' ? constraintRule(each) : each.name
}

function concerns({ columns }: Constraint, names: Pick<ReadonlySet<string>, 'has'>): boolean {
  return columns.some((name) => names.has(name))
}

function dropConstraints(table: Table, each: Constraint, { removed }: ChangedColumns): Change[] {
  const drop = dropConstraintOf(table, each)
  // A key of several columns would restrict those that stay.
  if (each.kind === 'key' ? each.columns.every((name) => removed.has(name)) : concerns(each, removed))
    // A column takes its constraints with it, but foreign keys have to go before the key that they refer to.
    return each.kind === 'fkey' ? [{ contract: { start: [drop] } }] : []
  const slug = `relax_${each.columns.join('_and_')}_of_${table.name}`
  // Foreign keys refer to that of the id until the contract phase.
  if (isKeyOfId(each)) return [{ slug, contract: { start: [drop] } }]
  return [{ slug, expand: { start: [{ ...drop, description: describeRelaxed(table, each) }] } }]
}

/** A constraint, and what it is in terms of the columns, and of their values, before they were renamed. */
interface FormerNames {
  readonly constraint: Constraint
  /** The same object if none was. */
  readonly former: Constraint
  /** The names of the values that it lists. */
  readonly valueNames?: ValueNames
}

function withFormerNames(table: Table, constraint: Constraint, { renamed }: ChangedColumns): FormerNames {
  if (!concerns(constraint, renamed)) return { constraint, former: constraint }
  const columns = constraint.columns.map((name) => renamed.get(name)?.from.name ?? name)
  const former = { ...constraint, columns, name: constraintName(table.name, columns, constraint.kind) }
  const pair = renamed.get(constraint.columns[0] ?? '')
  if (former.kind !== 'check' || former.check.kind !== 'enum' || pair === undefined)
    return { constraint, former }
  const valueNames = new ValueNames(pair.from, pair.column)
  return { constraint, former: { ...former, check: { kind: 'enum', values: valueNames.former } }, valueNames }
}

function addConstraints(
  table: Table,
  { constraint, former, valueNames }: FormerNames,
  was: Constraint | undefined,
  { retyped, required, written, added }: ChangedColumns,
): Change[] {
  if (concerns(constraint, retyped)) return [addToWrittenColumns(table, constraint)]
  const values = new Map(former.columns.map((name, at) => [name, required.get(constraint.columns[at] ?? '')]))
  if (was === undefined) {
    if (concerns(constraint, written)) return [addToWrittenColumns(table, constraint)]
    const isNew = concerns(constraint, added)
    // Existing columns of a combination may hold equal values.
    if (isNew && (constraint.kind !== 'key' || constraint.columns.every((name) => added.has(name))))
      return [addToNewColumns(table, constraint)]
    if (isKeyOfId(constraint)) return [addToId(table, constraint)]
    return [
      addToExistingColumns(table, constraint, { former: guard(table.name, former, values), isLate: isNew }),
    ]
  }
  const isKey = constraint.kind === 'key'
  const isSame = constraintRule(was) === constraintRule(former)
  const changes: Change[] = []
  // The index would notice it only after some of the rows have their value.
  if (isKey && [...values.values()].some((value) => value !== undefined))
    changes.push({ expand: { guards: [guard(table.name, former, values)] }, direct: {} })
  const update = valueNames?.update(table)
  if (former !== constraint && (isSame || isKey))
    changes.push(addToRenamedColumns(table, constraint, was, update))
  else if (!isSame && constraint.kind === 'check' && former.kind === 'check' && was.kind === 'check')
    changes.push(replaceCheck(table, { was, constraint, former, update }))
  else if (!isSame) changes.push(replaceIndex(table, constraint, was))
  return changes
}

/** Whether a constraint is the key over `id` and the parent. It always holds, because `id` is unique. */
function isKeyOfId({ kind, columns }: Constraint): boolean {
  return kind === 'key' && columns.includes('id')
}
