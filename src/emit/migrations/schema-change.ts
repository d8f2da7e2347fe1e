import { constraintName, identifier } from '../database/identifiers.ts'
import { addConstraint, commentStatements, tableStatements } from '../database/sql.ts'
import type { Constraint, Index, Table } from '../database/table.ts'
import { hasTimestamps } from '../database/timestamps.ts'
import { changeColumns } from './columns.ts'
import { addKeys, addReferences, changeChecks, dropKeys, dropReferences } from './constraints.ts'
import { withFormerColumns } from './former-columns.ts'
import { changeIndexes, columnsOf } from './indexes.ts'
import { changeTimestampTrigger, createWriteLockTrigger, dropWriteLockTrigger } from './triggers.ts'
import { type BackfillOf, emptyChange, renameHelp, type SchemaChange, type TablePair } from './steps.ts'

/** How the tables of one database become others. */
export function changeSchema(
  before: readonly Table[],
  after: readonly Table[],
  backfillOf: BackfillOf = () => undefined,
): SchemaChange {
  const change = emptyChange()
  const old = renameTables(change, before, after)
  const pairs = after.flatMap((table): TablePair[] => {
    const found = old.find(({ name }) => name === table.name)
    return found === undefined ? [] : [{ before: found, after: withFormerColumns(table, found) }]
  })
  const added = after.filter(({ name }) => !old.some((table) => table.name === name))
  const removed = old.filter(({ name }) => !after.some((table) => table.name === name))

  for (const [index, { entity }] of added.entries()) {
    const was = removed[index]?.entity.split('.').at(-1)
    if (was !== undefined) change.renames.push(renameHelp(was, entity))
  }
  for (const table of added) addTable(change, table)
  for (const pair of pairs) dropWriteLockTrigger(change, pair)
  const columns = new Map(pairs.map((pair) => [pair, changeColumns(change, pair, backfillOf)]))
  // A foreign key needs the unique key that it refers to: it is dropped before that, and added after it.
  for (const [pair, changed] of columns) dropReferences(change, pair, changed)
  dropTables(change, removed)
  for (const [pair, changed] of columns) dropKeys(change, pair, changed)
  for (const [pair, changed] of columns) changeChecks(change, pair, changed)
  for (const changed of columns.values()) changed.require()
  for (const [pair, changed] of columns) addKeys(change, pair, changed)
  for (const [pair, changed] of columns) addReferences(change, pair, changed)
  for (const { name, foreignKeys } of added) {
    for (const key of foreignKeys) {
      change.expand.start.push({ sql: addConstraint(name, key) })
      change.direct.push(addConstraint(name, key))
    }
  }
  for (const [pair, changed] of columns) changeIndexes(change, pair, changed)
  for (const pair of pairs) createWriteLockTrigger(change, pair)
  for (const pair of pairs) changeTimestampTrigger(change, pair)
  for (const changed of columns.values()) changed.drop()
  if (needsMigration(change)) changeComments(change, pairs)
  return change
}

/** Whether a change needs a migration. */
export function needsMigration({ direct, problems, missing, losses }: SchemaChange): boolean {
  return [direct, problems, missing, losses].some((list) => list.length > 0)
}

/**
 * The table before a change that holds the same rows, perhaps under another name (`#was`). A database has one table for
 * the entity of its service, so this one is known whatever the service was called.
 */
export function formerTable(table: Table, before: readonly Table[]): Table | undefined {
  return (
    before.find(({ name }) => name === table.name) ??
    before.find(({ name }) => name === table.was) ??
    (isStruct(table) ? undefined : before.find((each) => !isStruct(each)))
  )
}

function isStruct({ entity }: Table): boolean {
  return entity.includes('.')
}

/** Renames tables (`#was`) with all that is named after them, and returns the tables as they are called then. */
function renameTables(change: SchemaChange, before: readonly Table[], after: readonly Table[]): Table[] {
  const names = new Map(
    after.flatMap((table) => {
      const was = formerTable(table, before)?.name
      return was !== undefined && was !== table.name && !after.some(({ name }) => name === was)
        ? [[was, table.name] as const]
        : []
    }),
  )
  for (const [from, to] of names) {
    change.slugs.push(`rename_${from}_to_${to}`)
    change.compatible = false
  }
  return before.map((table) => renamedTable(change, table, names))
}

function renamedTable(change: SchemaChange, table: Table, names: ReadonlyMap<string, string>): Table {
  const to = names.get(table.name)
  const rename = (sql: string, description?: string): void => {
    // Before the guards, which use the new names.
    change.expand.guards.push(description === undefined ? { sql } : { sql, description })
    change.direct.push(sql)
  }
  const newNames = <Item extends Constraint | Index>(
    item: Item,
    kind: Constraint['kind'] | 'idx' | 'desc',
    what: string,
  ) => {
    if (to === undefined) return item
    const columns = 'keys' in item ? columnsOf(item) : item.columns
    const name = constraintName(to, columns, kind)
    if (what === 'INDEX') rename(`ALTER INDEX ${identifier(item.name)} RENAME TO ${identifier(name)};`)
    else
      rename(
        `ALTER TABLE ${identifier(to)} RENAME CONSTRAINT ${identifier(item.name)} TO ${identifier(name)};`,
      )
    return { ...item, name }
  }
  if (to !== undefined)
    rename(
      `ALTER TABLE ${identifier(table.name)} RENAME TO ${identifier(to)};`,
      `Renames ${table.name} to ${to}. The previous code cannot work with the new name.`,
    )
  const references = (item: Constraint): Constraint =>
    item.kind === 'fkey' ? { ...item, table: names.get(item.table) ?? item.table } : item
  for (const kind of to === undefined ? [] : triggersOf(table)) {
    const [from, name] = [table.name, to].map((owner = '') => identifier(constraintName(owner, [], kind)))
    rename(`ALTER FUNCTION ${from} RENAME TO ${name};`)
    rename(`ALTER TRIGGER ${from} ON ${identifier(to ?? '')} RENAME TO ${name};`)
  }
  return {
    ...table,
    name: to ?? table.name,
    constraints: table.constraints.map((item) => references(newNames(item, item.kind, 'CONSTRAINT'))),
    foreignKeys: table.foreignKeys.map((item) => references(newNames(item, item.kind, 'CONSTRAINT'))),
    indexes: table.indexes.map((item) =>
      newNames(item, item.name.endsWith('__desc') ? 'desc' : 'idx', 'INDEX'),
    ),
  }
}

/** The kinds of triggers that a table has, each with a function of its own. */
function triggersOf(table: Table): ('serialize' | 'touch')[] {
  return [
    ...(table.serialized.length > 0 ? ['serialize' as const] : []),
    ...(hasTimestamps(table) ? ['touch' as const] : []),
  ]
}

function addTable(change: SchemaChange, table: Table): void {
  change.slugs.push(`add_${table.name}`)
  for (const [index, sql] of tableStatements(table).entries()) {
    change.expand.start.push(index === 0 ? { sql, description: `Creates ${table.name}.` } : { sql })
    change.direct.push(sql)
  }
}

function dropTables(change: SchemaChange, tables: readonly Table[]): void {
  if (tables.length === 0) return
  const names = tables.map(({ name }) => name)
  // One statement, because the tables may refer to each other.
  const functions = tables.flatMap((table) =>
    triggersOf(table).map((kind) => `DROP FUNCTION ${identifier(constraintName(table.name, [], kind))};`),
  )
  const sql = [`DROP TABLE ${names.map(identifier).join(', ')};`, ...functions]
  change.slugs.push(...names.map((name) => `remove_${name}`))
  change.losses.push(...tables.map(({ entity }) => entity))
  change.expand.start.push({
    sql: '',
    description: `Changes nothing: ${names.join(', ')} and all rows stay until the previous code has stopped.`,
  })
  change.contract.start.push({
    sql: sql.join('\n'),
    description: `Drops ${names.join(', ')}.`,
    dataLossNote: `Loses all rows of ${names.join(', ')}.`,
  })
  change.direct.push(...sql)
}

function changeComments(change: SchemaChange, pairs: readonly TablePair[]): void {
  for (const { before, after } of pairs) {
    const known = new Map(before.columns.map(({ name, documentation }) => [name, documentation]))
    const types = new Map(before.columns.map(({ name, type }) => [name, type]))
    const cleared = after.columns.filter(
      ({ name, documentation }) => documentation === '' && (known.get(name) ?? '') !== '',
    )
    const sql = [
      ...(before.documentation !== '' && after.documentation === ''
        ? [`COMMENT ON TABLE ${identifier(after.name)} IS NULL;`]
        : []),
      ...cleared.map(
        ({ name }) => `COMMENT ON COLUMN ${identifier(after.name)}.${identifier(name)} IS NULL;`,
      ),
      ...commentStatements({
        name: after.name,
        documentation: before.documentation === after.documentation ? '' : after.documentation,
        // A column of another type may be a new one.
        columns: after.columns.filter(
          ({ name, type, documentation }) => known.get(name) !== documentation || types.get(name) !== type,
        ),
      }),
    ]
    change.expand.start.push(
      ...sql.map((statement) => ({
        sql: statement,
        description: `Updates the documentation of ${after.name}.`,
      })),
    )
    change.direct.push(...sql)
  }
}
