import { comment, CREATED_COLUMN, identifier, OWNER_COLUMN } from '../database/identifiers.ts'
import type { Column, Table } from '../database/table.ts'
import { isTimestamp } from '../database/timestamps.ts'
import { isVersion } from '../database/versions.ts'
import {
  alterTable,
  type Change,
  columnLabel,
  type ColumnPair,
  lockOf,
  REQUIRE_LATER,
  REWRITE_DURATION,
  type TablePair,
} from './change.ts'
import { guardNotNull } from './guards.ts'
import { type BackfillOf, dropNotNull, requireColumn } from './nullability.ts'
import { renameColumn } from './renamed-columns.ts'
import { isWidening, retypeColumns } from './retyped-columns.ts'
import { inBatches, updateRows } from './rows.ts'

/** How the columns of a table change. The names are those that constraints use. */
export interface ChangedColumns {
  readonly changes: readonly Change[]
  /** Those that forbid NULL, after the old bounds are gone and before the new keys are added. */
  readonly requirements: readonly Change[]
  readonly added: ReadonlySet<string>
  /** Added columns whose values the user has to write. */
  readonly written: ReadonlySet<string>
  readonly renamed: ReadonlyMap<string, ColumnPair>
  /** They have lost their constraints. The values tell whether they are the same columns, with a wider type. */
  readonly retyped: ReadonlyMap<string, boolean>
  readonly removed: ReadonlySet<string>
  /** They could be NULL before. The values are what rows without one get, as SQL, by their former names. */
  readonly required: ReadonlyMap<string, string | undefined>
}

/** The owner of entities that were created before the platform had users: nobody. */
const NOBODY = `'00000000-0000-0000-0000-000000000000'`

/** Compares the columns of a table. */
export function compareColumns(pair: TablePair, backfillOf: BackfillOf): ChangedColumns {
  const { before, after: table } = pair
  const old = new Map(before.columns.map((column) => [column.name, column]))
  const current = new Set(table.columns.map(({ name }) => name))
  const pairsWith = (nameOf: (column: Column) => string | undefined): ColumnPair[] =>
    table.columns.flatMap((column) => {
      const from = old.get(nameOf(column) ?? '')
      return from === undefined ? [] : [{ column, from }]
    })
  const kept = pairsWith(({ name }) => name)
  const moved = pairsWith(({ was }) => was).filter(({ from }) => !current.has(from.name))
  const renamed = moved.filter(({ column }) => !old.has(column.name))
  const known = new Set([...kept, ...renamed].flatMap(({ from, column }) => [from.name, column.name]))
  const added = table.columns.filter(({ name }) => !known.has(name))
  const removed = before.columns.filter(({ name }) => !known.has(name))
  const retyped = kept.filter(({ from, column }) => from.type !== column.type)
  const relaxed = kept.filter(({ from, column }) => !from.nullable && column.nullable)
  const required = [...kept, ...renamed]
    .filter(({ from, column }) => from.nullable && !column.nullable)
    .map((each) => requireColumn(table, each, backfillOf))
  const names = new Set(added.map(({ name }) => name))
  const additions = added.map((column) => ({ column, change: addColumn(table, column, names, backfillOf) }))
  return {
    changes: [
      ...moved.flatMap((each) => problemsOf(table, each, old.has(each.column.name))),
      ...additions.map(({ column, change }) => ({ ...change, added: { table, column } })),
      ...renamed.map((each) => renameColumn(table, each)),
      ...retypeColumns(pair, retyped),
      ...relaxed.map(({ column }) => ({
        slug: `relax_${column.name}_of_${table.name}`,
        expand: { start: [dropNotNull(table, column)] },
      })),
      ...removed.map((column) => removeColumn(table, column)),
    ],
    requirements: required.map(({ change }) => change),
    added: names,
    written: new Set(additions.flatMap(({ column, change }) => (change.expression ? [column.name] : []))),
    renamed: new Map(renamed.map((each) => [each.column.name, each])),
    retyped: new Map(retyped.map(({ from, column }) => [column.name, isWidening(from.type, column.type)])),
    removed: new Set(removed.map(({ name }) => name)),
    required: new Map(required.map(({ name, formerValue }) => [name, formerValue])),
  }
}

/** Why a column cannot be renamed. */
function problemsOf(table: Table, { from, column }: ColumnPair, existed: boolean): Change[] {
  const [was, is] = [columnLabel(table, from), columnLabel(table, column)]
  const other = `\`${is}\` was renamed from \`${was}\`, but another \`${is}\` existed: remove that one first`
  const retyped = `\`${is}\` has another type than \`${was}\`, from which it was renamed: rename it with the old type first, then change the type`
  if (existed) return [{ problem: other }]
  return from.type === column.type ? [] : [{ problem: retyped }]
}

function addColumn(table: Table, column: Column, added: ReadonlySet<string>, backfillOf: BackfillOf): Change {
  const { name, type, nullable } = column
  const label = columnLabel(table, column)
  const slug = `add_${name}_to_${table.name}`
  const add = (how: string, description: string) =>
    alterTable(
      table,
      `ADD COLUMN ${identifier(name)} ${type}${how}`,
      `Adds ${name} to ${table.name}. ${description}`,
    )
  if (isTimestamp(column)) return addTimestamp(table, column)
  if (isVersion(column)) return addVersion(table, column)
  const differ = needsExpression(table, column, added)
  if (nullable && (column.default === undefined || differ)) {
    const none = 'Existing rows, and new rows of the previous code, have no value.'
    return { slug, expand: { start: [add('', none)] } }
  }
  // In an empty table.
  const direct = { start: [add(' NOT NULL', '')] }
  if (differ && name !== OWNER_COLUMN) {
    const request = `Replace NULL with the value of ${label} in each row: an expression over its other columns. Or undo this change, and ${REQUIRE_LATER}.`
    const lock = lockOf(table, 'reads and writes', 'until every row has its value', REWRITE_DURATION)
    const start = [
      { ...add('', 'The previous code cannot create rows without it.'), lock },
      { sql: `${comment(request)}\n${updateRows(table, `${identifier(name)} = NULL`)}` },
      guardNotNull(table.name, name),
      alterTable(table, `ALTER COLUMN ${identifier(name)} SET NOT NULL`),
    ]
    const expression = { table, column, converts: false }
    return { slug, expand: { start }, direct, expression, isBreaking: true }
  }
  const value = name === OWNER_COLUMN ? NOBODY : (column.default ?? backfillOf(label, column))
  if (value === undefined) return { slug, direct, missing: { table, column } }
  const description = `Existing rows, and new rows of the previous code, get ${value}.`
  const drop = alterTable(
    table,
    `ALTER COLUMN ${identifier(name)} DROP DEFAULT`,
    `Drops the default of ${name} of ${table.name}, which only the previous code needed.`,
  )
  return {
    slug,
    expand: { start: [add(`${nullable ? '' : ' NOT NULL'} DEFAULT ${value}`, description)] },
    contract: { start: [drop] },
  }
}

/** Existing rows were created at the time in their id, if it has one, and were last changed at an unknown time. */
function addTimestamp(table: Table, { name, type }: Column): Change {
  const column = identifier(name)
  const isCreated = name === CREATED_COLUMN
  const add = alterTable(
    table,
    `ADD COLUMN ${column} ${type} NOT NULL DEFAULT now()`,
    `Adds ${name} to ${table.name}. The database sets it. Existing rows get the time of this migration${isCreated ? ', and then the time that their id contains' : ''}.`,
  )
  if (!isCreated) return { expand: { start: [add] } }
  const assignment = `${column} = coalesce(uuid_extract_timestamp(id), ${column})`
  const description = `Copies the times in the ids of ${table.name} to ${name}`
  return {
    slug: `add_timestamps_to_${table.name}`,
    expand: { start: [add], outside: [inBatches(table, assignment, { does: 'copies', description })] },
    direct: { start: [add, { sql: updateRows(table, assignment) }] },
  }
}

/** Existing rows get the same first version, which locks the table only for a moment. */
function addVersion(table: Table, { name, type, default: first }: Column): Change {
  const column = identifier(name)
  const add = alterTable(
    table,
    `ADD COLUMN ${column} ${type} NOT NULL DEFAULT 1`,
    `Adds ${name} to ${table.name}, which the database counts.`,
  )
  const later = first === '1' ? [] : [alterTable(table, `ALTER COLUMN ${column} SET DEFAULT ${first}`)]
  return { slug: `add_versions_to_${table.name}`, expand: { start: [add, ...later] } }
}

/** Versions are no data of the user. */
function removeVersion(table: Table, { name }: Column): Change {
  const drop = alterTable(table, `DROP COLUMN ${identifier(name)}`, `Drops ${name} of ${table.name}.`)
  return { slug: `remove_versions_from_${table.name}`, contract: { drops: [drop] } }
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

function removeColumn(table: Table, column: Column): Change {
  if (isVersion(column)) return removeVersion(table, column)
  const { name } = column
  const drop = alterTable(table, `DROP COLUMN ${identifier(name)}`, `Drops ${name} of ${table.name}.`)
  const drops = [{ ...drop, dataLossNote: `Loses the values of ${name} of all rows.` }]
  const release = dropNotNull(table, column, ', because the new code does not write it')
  return {
    slug: `remove_${isTimestamp(column) ? 'timestamps' : name}_from_${table.name}`,
    expand: { start: column.nullable ? [] : [release] },
    contract: { drops },
    direct: { drops },
    losses: [columnLabel(table, column)],
    removed: { table, column },
  }
}
