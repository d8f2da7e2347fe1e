import { constraintName } from '../database/identifiers.ts'
import { constraintRule, dropConstraint } from '../database/sql.ts'
import type { Constraint, Table } from '../database/table.ts'
import {
  addInSameTransaction,
  addToNewColumns,
  addToRenamedColumns,
  isReference,
  isTargetOfReferences,
  addToExistingColumns,
} from './added-constraints.ts'
import type { ValueNames } from './former-columns.ts'
import { guard } from './guards.ts'
import { replaceConstraint } from './replaced-constraints.ts'
import { type ChangedColumns, describeRelaxed, type SchemaChange, type TablePair } from './steps.ts'

/** Drops foreign keys that the schema no longer has. */
export function dropReferences(change: SchemaChange, pair: TablePair, columns: ChangedColumns): void {
  dropRemoved(change, pair, columns, isReference)
}

/** Drops keys that the schema no longer has. */
export function dropKeys(change: SchemaChange, pair: TablePair, columns: ChangedColumns): void {
  dropRemoved(change, pair, columns, isKey)
}

/** Changes the bounds of columns. Relaxing comes before the new code, tightening after the previous code has ended. */
export function changeChecks(change: SchemaChange, pair: TablePair, columns: ChangedColumns): void {
  dropRemoved(change, pair, columns, isCheck)
  addMissing(change, pair, columns, isCheck)
}

/** Adds keys after the previous code has ended, and replaces others. */
export function addKeys(change: SchemaChange, pair: TablePair, columns: ChangedColumns): void {
  addMissing(change, pair, columns, isKey)
}

/** Adds the foreign keys that the schema did not have. */
export function addReferences(change: SchemaChange, pair: TablePair, columns: ChangedColumns): void {
  addMissing(change, pair, columns, isReference)
}

const isCheck = ({ kind }: Constraint): boolean => kind === 'check'
const isKey = (each: Constraint): boolean => !isReference(each) && !isCheck(each)

/** What remains the same: the name, or what a foreign key refers to. */
function identityOf(each: Constraint): string {
  return isReference(each) ? constraintRule(each) : each.name
}

type Selection = (each: Constraint) => boolean

function selected({ constraints, foreignKeys }: Table, selection: Selection): Map<string, Constraint> {
  return new Map([...constraints, ...foreignKeys].filter(selection).map((each) => [each.name, each]))
}

function concerns({ columns }: Constraint, names: ReadonlySet<string>): boolean {
  return columns.some((name) => names.has(name))
}

function dropRemoved(
  change: SchemaChange,
  { before, after }: TablePair,
  columns: ChangedColumns,
  selection: Selection,
): void {
  const remaining = new Set(
    Array.from(selected(after, selection).values(), (each) => formerly(after.name, each, columns)).map(
      identityOf,
    ),
  )
  for (const each of selected(before, selection).values()) {
    if (remaining.has(identityOf(each))) continue
    if (concerns(each, columns.retyped)) continue
    if (isOnlyOf(each, columns.removed)) dropWithColumn(change, after.name, each)
    else relax(change, after.name, each)
  }
}

function addMissing(
  change: SchemaChange,
  { before, after }: TablePair,
  columns: ChangedColumns,
  selection: Selection,
): void {
  const old = selected(before, selection)
  for (const each of selected(after, selection).values()) {
    if (concerns(each, columns.retyped)) {
      addInSameTransaction(change, after.name, each)
      continue
    }
    const former = formerly(after.name, each, columns)
    const was = old.get(former.name)
    const isSame = was !== undefined && constraintRule(was) === constraintRule(former)
    /** What rows get that have no value in a newly required column. */
    const values = new Map(
      former.columns.map((name, at) => [name, columns.required.get(each.columns[at] ?? '')]),
    )
    const getsValues = [...values.values()].some((value) => value !== undefined)
    // The index would notice it only after some of the rows have their value.
    if (each.kind === 'key' && was !== undefined && getsValues)
      change.expand.guards.push(guard(after.name, former, values))
    const update = valueNamesOf(each, columns)?.update(after)
    if (was !== undefined && former !== each && (isSame || each.kind === 'key'))
      addToRenamedColumns(change, after.name, was, each, update)
    else if (isSame) continue
    else if (was !== undefined && !isReference(each))
      replaceConstraint(change, after, { was, is: each, former, update })
    else if (concerns(each, columns.written)) addInSameTransaction(change, after.name, each)
    else if (concerns(each, columns.added) && !combinesOldAndNew(each, columns))
      addToNewColumns(change, after.name, each)
    else
      addToExistingColumns(change, after.name, each, {
        former,
        values,
        isLate: concerns(each, columns.added),
      })
  }
}

/** Whether a combination has existing columns, which may hold equal values, in addition to new ones. */
function combinesOldAndNew({ kind, columns }: Constraint, { added }: ChangedColumns): boolean {
  return kind === 'key' && !columns.every((name) => added.has(name))
}

/** A constraint in terms of the columns, and of their values, before they were renamed: itself if none was. */
function formerly(table: string, each: Constraint, changed: ChangedColumns): Constraint {
  const { renamed } = changed
  if (!each.columns.some((name) => renamed.has(name))) return each
  const columns = each.columns.map((name) => renamed.get(name) ?? name)
  const former = { columns, name: constraintName(table, columns, each.kind) }
  const names = valueNamesOf(each, changed)
  return each.kind === 'check' && names !== undefined
    ? { ...each, ...former, check: { kind: 'enum', values: names.former } }
    : { ...each, ...former }
}

/** The names of the values that a constraint lists. */
function valueNamesOf(each: Constraint, { valueNames }: ChangedColumns): ValueNames | undefined {
  return isCheck(each) ? valueNames.get(each.columns[0] ?? '') : undefined
}

/** Whether a constraint goes with removed columns. One of several columns would restrict those that stay. */
function isOnlyOf(each: Constraint, removed: ReadonlySet<string>): boolean {
  return each.kind === 'key' ? each.columns.every((name) => removed.has(name)) : concerns(each, removed)
}

/** A column takes its constraints with it, but foreign keys have to go before the key that they refer to. */
function dropWithColumn(change: SchemaChange, table: string, each: Constraint): void {
  const sql = dropConstraint(table, each)
  change.direct.push(sql)
  if (each.kind === 'fkey') change.contract.start.push({ sql })
}

function relax(change: SchemaChange, table: string, each: Constraint): void {
  const sql = dropConstraint(table, each)
  change.slugs.push(`relax_${each.columns.join('_and_')}_of_${table}`)
  change.direct.push(sql)
  if (isTargetOfReferences(each)) {
    // Foreign keys refer to it until the contract phase, and it always holds.
    change.contract.start.push({ sql })
    return
  }
  change.expand.start.push({ sql, description: describeRelaxed(table, each) })
}
