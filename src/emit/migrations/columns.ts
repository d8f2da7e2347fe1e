import { comment, CREATED_COLUMN, identifier, OWNER_COLUMN } from '../database/identifiers.ts'
import type { Column, Table } from '../database/table.ts'
import { isTimestamp, keepTimestamps } from '../database/timestamps.ts'
import { BATCH_SIZE, inBatches } from './batches.ts'
import { isEnum, ValueNames } from './former-columns.ts'
import { guardNotNull } from './guards.ts'
import { dropNotNull, setNotNull, valueOfRows } from './nullability.ts'
import { dropFormerColumn, renameColumn } from './renamed-columns.ts'
import { dropRetypedColumn, isWidening, retypeColumn } from './retyped-columns.ts'
import {
  type BackfillOf,
  type ChangedColumns,
  columnLabel,
  REQUIRE_LATER,
  REWRITE_DURATION,
  type SchemaChange,
  type TablePair,
} from './steps.ts'

/** The owner of entities that were created before the platform had users: nobody. */
const NOBODY = `'00000000-0000-0000-0000-000000000000'`

/** Adds, renames and retypes columns. */
export function changeColumns(change: SchemaChange, pair: TablePair, backfillOf: BackfillOf): ChangedColumns {
  const { before, after } = pair
  const old = new Map(before.columns.map((column) => [column.name, column]))
  const current = new Map(after.columns.map((column) => [column.name, column]))
  const renamed = after.columns.flatMap((column) => {
    const from = column.was === undefined ? undefined : old.get(column.was)
    if (from === undefined || current.has(from.name)) return []
    if (!old.has(column.name)) return [{ from, to: column }]
    const [was, is] = [columnLabel(after, from), columnLabel(after, column)]
    change.problems.push(
      `\`${is}\` was renamed from \`${was}\`, but another \`${is}\` existed: remove that one first`,
    )
    return []
  })
  const renamedFrom = new Set(renamed.map(({ from }) => from.name))
  const renamedTo = new Set(renamed.map(({ to }) => to.name))
  const added = after.columns.filter(({ name }) => !old.has(name) && !renamedTo.has(name))
  const removed = before.columns.filter(({ name }) => !current.has(name) && !renamedFrom.has(name))
  const retyped = after.columns.flatMap((column) => {
    const from = old.get(column.name)
    return from !== undefined && from.type !== column.type ? [{ from, to: column }] : []
  })

  const kept = after.columns.flatMap((column) => {
    const from = old.get(column.name)
    return from === undefined ? [] : [{ from, to: column }]
  })
  const required = [...kept, ...renamed]
    .filter(({ from, to }) => from.nullable && !to.nullable)
    .map(({ from, to }) => ({ from, to, value: valueOfRows(after, to, backfillOf) }))
  const relaxed = kept.filter(({ from, to }) => !from.nullable && to.nullable)

  const written = new Set<string>()
  const addedNames = new Set(added.map(({ name }) => name))
  for (const column of added)
    if (addColumn(change, after, column, { backfillOf, added: addedNames })) written.add(column.name)
  for (const { from, to } of renamed) renameColumn(change, after, from, to)
  const dropped = new Set<string>()
  for (const each of retyped) retypeColumn(change, pair, each, dropped)
  const replaced = retyped.filter(({ from, to }) => !isWidening(from.type, to.type))
  for (const { to } of relaxed) dropNotNull(change, after, to)
  for (const column of removed) releaseColumn(change, after, column)
  return {
    added: addedNames,
    written,
    renamed: new Map(renamed.map(({ from, to }) => [to.name, from.name])),
    valueNames: new Map(
      renamed.flatMap(({ from, to }) => (!isEnum(to) ? [] : [[to.name, new ValueNames(from, to)]])),
    ),
    retyped: new Set(retyped.map(({ to }) => to.name)),
    replaced: new Set(replaced.map(({ to }) => to.name)),
    removed: new Set(removed.map(({ name }) => name)),
    required: new Map(
      required.map(({ from, to, value }) => [to.name, value && new ValueNames(from, to).sqlBefore(value)]),
    ),
    require: () => {
      for (const { from, to, value } of required) setNotNull(change, after, { from, to }, value)
    },
    drop: () => {
      for (const { from, to } of renamed) dropFormerColumn(change, after, from, to)
      for (const each of replaced) dropRetypedColumn(change, after, each)
      for (const column of removed) dropColumn(change, after, column)
    },
  }
}

/** Returns whether the user has to write the values. */
function addColumn(
  change: SchemaChange,
  table: Table,
  column: Column,
  { backfillOf, added }: { readonly backfillOf: BackfillOf; readonly added: ReadonlySet<string> },
): boolean {
  if (isTimestamp(column)) {
    addTimestamp(change, table, column)
    return false
  }
  const { name, type } = column
  const alter = `ALTER TABLE ${identifier(table.name)}`
  const label = columnLabel(table, column)
  change.slugs.push(`add_${name}_to_${table.name}`)
  if (column.nullable && (column.default === undefined || needsExpression(table, column, added))) {
    const sql = `${alter} ADD COLUMN ${identifier(name)} ${type};`
    change.expand.start.push({
      sql,
      description: `Adds ${name} to ${table.name}. Existing rows, and new rows of the previous code, have no value.`,
    })
    change.direct.push(sql)
    return false
  }
  if (name !== OWNER_COLUMN && needsExpression(table, column, added)) {
    const update = `${keepTimestamps(table)}UPDATE ${identifier(table.name)} SET ${identifier(name)} = NULL;`
    change.expressions.push({ attribute: label, converts: false })
    change.compatible = false
    change.expand.start.push(
      {
        sql: `${alter} ADD COLUMN ${identifier(name)} ${type};`,
        description: `Adds ${name} to ${table.name}. The previous code cannot create rows without it.`,
        tableLock: `Locks ${table.name} against reads and writes until every row has its value: ${REWRITE_DURATION}.`,
      },
      {
        sql: `${comment(`Replace NULL with the value of ${label} in each row: an expression over its other columns. Or undo this change, and ${REQUIRE_LATER}.`)}\n${update}`,
      },
      guardNotNull(table.name, name),
      { sql: `${alter} ALTER COLUMN ${identifier(name)} SET NOT NULL;` },
    )
    change.direct.push(`${alter} ADD COLUMN ${identifier(name)} ${type} NOT NULL;`)
    return true
  }
  const value = name === OWNER_COLUMN ? NOBODY : (column.default ?? backfillOf(label, column))
  if (value === undefined) {
    change.missing.push({ attribute: label, table: table.name, column: name, type })
    change.direct.push(`${alter} ADD COLUMN ${identifier(name)} ${type} NOT NULL;`)
    return false
  }
  const definition = `${type}${column.nullable ? '' : ' NOT NULL'}`
  const withDefault = `${alter} ADD COLUMN ${identifier(name)} ${definition} DEFAULT ${value};`
  const withoutDefault = `${alter} ALTER COLUMN ${identifier(name)} DROP DEFAULT;`
  change.expand.start.push({
    sql: withDefault,
    description: `Adds ${name} to ${table.name}. Existing rows, and new rows of the previous code, get ${value}.`,
  })
  change.contract.start.push({
    sql: withoutDefault,
    description: `Drops the default of ${name} of ${table.name}, which only the previous code needed.`,
  })
  change.direct.push(withDefault, withoutDefault)
  return false
}

/** Existing rows were created at the time in their id, if it has one, and were last changed at an unknown time. */
function addTimestamp(change: SchemaChange, table: Table, { name, type }: Column): void {
  const [target, column] = [identifier(table.name), identifier(name)]
  const alter = `ALTER TABLE ${target} ADD COLUMN ${column} ${type} NOT NULL DEFAULT now();`
  const description = `Adds ${name} to ${table.name}. The database sets it. Existing rows get the time of this migration`
  change.direct.push(alter)
  if (name !== CREATED_COLUMN) {
    change.expand.start.push({ sql: alter, description: `${description}.` })
    return
  }
  const time = `coalesce(uuid_extract_timestamp(id), ${column})`
  change.slugs.push(`add_timestamps_to_${table.name}`)
  change.expand.start.push({
    sql: alter,
    description: `${description}, and then the time that their id contains.`,
  })
  change.expand.outside.push({
    sql: inBatches(table, `${column} = ${time}`),
    description: `Copies the times in the ids of ${table.name} to ${name}, ${BATCH_SIZE.toLocaleString('en')} rows at a time.`,
    lockNote: 'Locks only the rows that it copies, for less than a second.',
  })
  change.direct.push(`UPDATE ${target} SET ${column} = ${time};`)
}

/** Whether one value for all rows cannot be right. */
function needsExpression(table: Table, { name, type }: Column, added: ReadonlySet<string>): boolean {
  return (
    type === 'bytea' ||
    [...table.constraints, ...table.foreignKeys].some(
      ({ kind, columns }) =>
        kind !== 'check' &&
        columns.includes(name) &&
        // Other columns of a combination may already differ.
        (kind !== 'key' || columns.every((each) => added.has(each))),
    )
  )
}

function releaseColumn(change: SchemaChange, table: Table, column: Column): void {
  const { name } = column
  change.slugs.push(`remove_${isTimestamp(column) ? 'timestamps' : name}_from_${table.name}`)
  change.losses.push(columnLabel(table, column))
  if (column.nullable) return
  change.expand.start.push({
    sql: `ALTER TABLE ${identifier(table.name)} ALTER COLUMN ${identifier(name)} DROP NOT NULL;`,
    description: `Makes ${name} of ${table.name} optional, because the new code does not write it.`,
  })
}

function dropColumn(change: SchemaChange, table: Table, { name }: Column): void {
  const sql = `ALTER TABLE ${identifier(table.name)} DROP COLUMN ${identifier(name)};`
  change.contract.start.push({
    sql,
    description: `Drops ${name} of ${table.name}.`,
    dataLossNote: `Loses the values of ${name} of all rows.`,
  })
  change.direct.push(sql)
}
