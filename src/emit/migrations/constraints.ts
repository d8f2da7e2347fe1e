import { constraintName, identifier } from '../database/identifiers.ts'
import { compareDecimals } from '../../model/decimals.ts'
import { addConstraint, createIndex } from '../database/sql.ts'
import type { Bounds, Column, Constraint, Table } from '../database/table.ts'
import type { ChangedColumns } from './columns.ts'
import { checkingRows, guard } from './guards.ts'
import type { SchemaChange, TablePair } from './steps.ts'

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

const isReference = ({ kind }: Constraint): boolean => kind === 'fkey'
const isCheck = ({ kind }: Constraint): boolean => kind === 'check'
const isKey = (each: Constraint): boolean => !isReference(each) && !isCheck(each)

const INDEX_TIME = 'about 2 s for 1,000,000 rows'

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
      ({ name, kind, definition }) => (kind === 'fkey' ? definition : name),
    ),
  )
  for (const each of selected(before, selection).values()) {
    if (remaining.has(isReference(each) ? each.definition : each.name)) continue
    if (concerns(each, columns.retyped)) continue
    if (isOnlyOf(each, columns.removed)) dropWithColumn(change, after.name, each)
    else dropConstraint(change, after.name, each)
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
    const former = formerly(after.name, each, columns)
    const was = old.get(former.name)
    const isSame = was?.definition === former.definition
    if (concerns(each, columns.retyped)) addAtOnce(change, after.name, each)
    else if (was !== undefined && former !== each && (isSame || each.kind === 'key'))
      addToRenamed(change, after.name, was, each)
    else if (isSame) continue
    else if (was !== undefined && !isReference(each))
      replaceConstraint(change, { before, after }, { was, is: each, former })
    else if (concerns(each, columns.written)) addAtOnce(change, after.name, each)
    else if (concerns(each, columns.added) && !combinesOldAndNew(each, columns))
      addToNew(change, after.name, each)
    else
      tighten(change, after.name, each, {
        former,
        isLate: concerns(each, columns.added) || concerns(each, columns.required),
      })
  }
}

/** Whether a combination has existing columns, which may hold equal values, beside new ones. */
function combinesOldAndNew({ kind, columns }: Constraint, { added }: ChangedColumns): boolean {
  return kind === 'key' && !columns.every((name) => added.has(name))
}

/** A constraint in terms of the columns before they were renamed: itself if none of its own was. */
function formerly(table: string, each: Constraint, { renamed }: ChangedColumns): Constraint {
  if (!each.columns.some((name) => renamed.has(name))) return each
  const columns = each.columns.map((name) => renamed.get(name) ?? name)
  const definition = each.columns.reduce(
    (text, name, index) => text.replaceAll(identifier(name), identifier(columns[index] ?? name)),
    each.definition,
  )
  return { ...each, columns, definition, name: constraintName(table, columns, each.kind) }
}

/** Whether a constraint goes with removed columns. One of several columns would restrict those that stay. */
function isOnlyOf(each: Constraint, removed: ReadonlySet<string>): boolean {
  return each.kind === 'key' ? each.columns.every((name) => removed.has(name)) : concerns(each, removed)
}

/** A column takes its constraints with it, but foreign keys have to go before the key that they refer to. */
function dropWithColumn(change: SchemaChange, table: string, each: Constraint): void {
  const sql = drop(table, each)
  change.direct.push(sql)
  if (each.kind === 'fkey') change.contract.start.push({ sql })
}

function dropConstraint(change: SchemaChange, table: string, each: Constraint): void {
  const sql = drop(table, each)
  change.slugs.push(`relax_${each.columns.join('_and_')}_of_${table}`)
  change.direct.push(sql)
  if (isTargetOfReferences(each)) {
    // Foreign keys refer to it until the contract phase, and it always holds.
    change.contract.start.push({ sql })
    return
  }
  change.expand.start.push({ sql, says: `${relaxed(each)} of ${table}.` })
}

function relaxed({ kind, columns }: Constraint): string {
  const names = columns.join(', ')
  if (kind === 'key') return `No longer requires unique values of ${names}`
  return kind === 'fkey' ? `No longer checks the references in ${names}` : `Removes the bounds of ${names}`
}

/** The key over `id` and the parent always holds, because `id` is unique. */
function isTargetOfReferences({ kind, columns }: Constraint): boolean {
  return kind === 'key' && columns.includes('id')
}

interface Replacement {
  readonly was: Constraint
  readonly is: Constraint
  /** The new one in terms of the columns before they were renamed. */
  readonly former: Constraint
}

function replaceConstraint(
  change: SchemaChange,
  { before, after }: TablePair,
  { was, is, former }: Replacement,
): void {
  const table = after.name
  const swap = [drop(table, was), addConstraint(table, is)]
  change.slugs.push(`change_${is.columns.join('_and_')}_of_${table}`)
  if (is.kind !== 'check') {
    // The same rule, held by another kind of index.
    change.expand.start.push({
      sql: swap.join('\n'),
      says: `Replaces the index that keeps ${is.columns.join(', ')} of ${table} unique.`,
      locks: `Locks ${table} against writes while the index is built: ${INDEX_TIME}.`,
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
  const validate = {
    sql: validation(table, is),
    ...checkingRows(table),
  }
  if (!isNarrower) {
    change.expand.start.push({
      sql: `${drop(table, was)}\n${unchecked}`,
      says: `Widens the ${what} of ${is.columns[0]} of ${table}.`,
    })
    change.expand.validate.push(validate)
    change.direct.push(...swap)
    return
  }
  const isReplaced = !isWider && was.name === is.name
  change.expand.guards.push(guard(table, former))
  change.contract.guards.push(guard(table, is))
  change.contract.start.push({
    sql: isReplaced ? `${drop(table, was)}\n${unchecked}` : unchecked,
    says: `Narrows the ${what} of ${is.columns[0]} of ${table}.`,
  })
  change.contract.validate.push(validate)
  // Between the old and the new bounds, the code checks values, old or new. Narrower ones of a renamed column wait.
  if (isWider)
    change.expand.start.push({
      sql: drop(table, was),
      says: `Drops the old ${what} of ${was.columns[0]} of ${table}.`,
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

/**
 * Adds a constraint to existing columns, or to one of them and a new one. `isLate`: before the other steps, the table
 * lacks a column or a value.
 */
function tighten(
  change: SchemaChange,
  table: string,
  each: Constraint,
  { former, isLate }: { readonly former: Constraint; readonly isLate: boolean },
): void {
  const sql = addConstraint(table, each)
  change.slugs.push(`restrict_${each.columns.join('_and_')}_of_${table}`)
  if (isTargetOfReferences(each)) {
    change.expand.start.push({
      sql,
      says: `Lets rows refer to those of ${table}.`,
      locks: `Locks ${table} against writes while an index is built: ${INDEX_TIME}.`,
    })
    change.direct.push(sql)
    return
  }
  // The table that a foreign key refers to may be new.
  if (isReference(each))
    change.expand.start.push({
      ...guard(table, former),
      locks: `Locks ${table} against reads and writes while its references are checked: ${INDEX_TIME}.`,
    })
  else change.expand[isLate ? 'start' : 'guards'].push(guard(table, former))
  change.contract[isLate ? 'start' : 'guards'].push(guard(table, each))
  change.direct.push(guard(table, each).sql, sql)
  if (isUnique(each)) addUnique(change, 'contract', table, each)
  else if (each.kind === 'key') {
    change.contract.start.push({
      sql,
      says: `Makes ${each.columns.join(', ')} of ${table} unique.`,
      locks: `Locks ${table} against writes while an index is built: ${INDEX_TIME}.`,
    })
  } else {
    change.contract.start.push({
      sql: addConstraint(table, each, ' NOT VALID'),
      says: `Restricts ${each.columns.join(', ')} of ${table}.`,
    })
    change.contract.validate.push({ sql: validation(table, each), ...checkingRows(table) })
  }
}

/** A unique constraint that an index on a table in use can become. */
function isUnique({ definition }: Constraint): boolean {
  return definition.startsWith('UNIQUE ')
}

function addUnique(
  change: SchemaChange,
  phase: 'expand' | 'contract',
  table: string,
  each: Constraint,
): void {
  const columns = each.columns.map(identifier).join(', ')
  change[phase].outside.push({
    sql: createIndex(table, { name: each.name, unique: true, definition: `(${columns})` }, true),
    says: `Builds the index ${each.name}. Reads and writes of ${table} go on meanwhile.`,
  })
  change[phase].end.push({
    sql: `ALTER TABLE ${identifier(table)} ADD CONSTRAINT ${identifier(each.name)} UNIQUE USING INDEX ${identifier(each.name)};`,
    says: `Makes ${each.columns.join(', ')} of ${table} unique.`,
  })
}

/** Adds the rule that a column had under its old name, where it holds until the contract phase. */
function addToRenamed(change: SchemaChange, table: string, was: Constraint, each: Constraint): void {
  change.direct.push(drop(table, was), addConstraint(table, each))
  if (isUnique(each)) {
    addUnique(change, 'expand', table, each)
  } else if (each.kind === 'key') {
    change.expand.end.push({
      sql: addConstraint(table, each),
      says: `Makes ${each.columns.join(', ')} of ${table} unique.`,
      locks: `Locks ${table} against writes while an index is built: ${INDEX_TIME}.`,
    })
  } else {
    change.expand.start.push({ sql: addConstraint(table, each, ' NOT VALID') })
    change.expand.validate.push({ sql: validation(table, each), ...checkingRows(table) })
  }
  if (isReference(each)) change.contract.start.push({ sql: drop(table, was) })
}

/** Adds a constraint to a column that has its default or no value in every row. */
function addToNew(change: SchemaChange, table: string, each: Constraint): void {
  change.direct.push(addConstraint(table, each))
  if (isUnique(each)) {
    addUnique(change, 'expand', table, each)
    return
  }
  if (each.kind === 'key') {
    change.expand.start.push({
      sql: addConstraint(table, each),
      says: `Makes ${each.columns.join(', ')} of ${table} unique.`,
      locks: `Locks ${table} against writes while an index is built: ${INDEX_TIME}.`,
    })
    return
  }
  change.expand.start.push({ sql: addConstraint(table, each, ' NOT VALID') })
  change.expand.validate.push({ sql: validation(table, each), ...checkingRows(table) })
}

/** Adds a constraint to a column whose values were written in the same transaction. */
function addAtOnce(change: SchemaChange, table: string, each: Constraint): void {
  const steps = [guard(table, each), { sql: addConstraint(table, each) }]
  change.expand.start.push(...steps)
  change.direct.push(...steps.map(({ sql }) => sql))
}

function drop(table: string, { name }: Constraint): string {
  return `ALTER TABLE ${identifier(table)} DROP CONSTRAINT ${identifier(name)};`
}

function validation(table: string, { name }: Constraint): string {
  return `ALTER TABLE ${identifier(table)} VALIDATE CONSTRAINT ${identifier(name)};`
}
