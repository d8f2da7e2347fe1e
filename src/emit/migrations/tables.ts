import { constraintName, identifier, UPDATED_COLUMN, VERSION_COLUMN } from '../database/identifiers.ts'
import { KEYS_TABLE } from '../database/idempotency.ts'
import { JOBS_TABLE } from '../database/jobs.ts'
import { commentStatements, serializeWrites, tableStatements } from '../database/sql.ts'
import type { Constraint, Index, Table } from '../database/table.ts'
import { hasTimestamps, updateTimestampTrigger } from '../database/timestamps.ts'
import { hasVersions, versionTrigger } from '../database/versions.ts'
import { AUTHENTICATION } from '../../naming.ts'
import { alterTable, type Change, type MigrationStep, type TablePair } from './change.ts'
import { columnsOf } from './indexes.ts'

/** A table after tables were renamed, with all that is named after them. */
export function withNames(table: Table, names: ReadonlyMap<string, string>): Table {
  const name = names.get(table.name) ?? table.name
  const renamed = <Item extends Constraint | Index>(item: Item): Item => ({
    ...item,
    name: nameIn(name, item),
  })
  const constraint = (each: Constraint): Constraint =>
    renamed(each.kind === 'fkey' ? { ...each, table: names.get(each.table) ?? each.table } : each)
  return {
    ...table,
    name,
    constraints: table.constraints.map(constraint),
    foreignKeys: table.foreignKeys.map(constraint),
    indexes: table.indexes.map(renamed),
  }
}

/** What a constraint or an index is called in a table. */
function nameIn(table: string, item: Constraint | Index): string {
  if (!('keys' in item)) return constraintName(table, item.columns, item.kind)
  const kind = item.keys.some(({ isDescending }) => isDescending) ? 'desc' : 'idx'
  return constraintName(table, columnsOf(item), item.unique ? 'key' : kind)
}

/** Renames a table with all that is named after it. */
export function renameTable(from: Table, to: string): Change {
  const [table, name] = [{ ...from, name: to }, identifier(to)]
  const description = `Renames ${from.name} to ${to}. The previous code cannot work with the new name.`
  const namesOf = (item: Constraint | Index): string[] => [item.name, nameIn(to, item)].map(identifier)
  const triggers = triggersOf(from).flatMap((kind) => {
    const [old, current] = [from.name, to].map((owner) => identifier(constraintName(owner, [], kind)))
    return [
      `ALTER FUNCTION ${old} RENAME TO ${current};`,
      `ALTER TRIGGER ${old} ON ${name} RENAME TO ${current};`,
    ]
  })
  // Before the guards of other changes, which use the new names.
  const guards: MigrationStep[] = [
    alterTable(from, `RENAME TO ${name}`, description),
    ...triggers.map((sql) => ({ sql })),
    ...[...from.constraints, ...from.foreignKeys].map((each) =>
      alterTable(table, `RENAME CONSTRAINT ${namesOf(each).join(' TO ')}`),
    ),
    ...from.indexes.map((each) => ({ sql: `ALTER INDEX ${namesOf(each).join(' RENAME TO ')};` })),
  ]
  return { slug: `rename_${from.name}_to_${to}`, expand: { guards }, isBreaking: true }
}

type TriggerKind = 'serialize' | 'touch' | 'version'

/** The kinds of triggers that a table has, each with a function of its own. */
function triggersOf(table: Table): TriggerKind[] {
  return [
    ...(table.serialized.length > 0 ? ['serialize' as const] : []),
    ...(hasTimestamps(table) ? ['touch' as const] : []),
    ...(hasVersions(table) ? ['version' as const] : []),
  ]
}

/** Creates a table, but for its foreign keys. */
export function addTable(table: Table): Change {
  const [create = '', ...more] = tableStatements(table)
  const steps = [{ sql: create, description: `Creates ${table.name}.` }, ...more.map((sql) => ({ sql }))]
  return { slug: `add_${table.name}`, expand: { start: steps } }
}

/** Drops tables. One of `added` may have been one of them. */
export function dropTables(tables: readonly Table[], added: readonly Table[]): Change {
  const names = tables.map(({ name }) => name)
  const list = names.join(', ')
  const functions = tables.flatMap((table) =>
    triggersOf(table).map((kind) => `DROP FUNCTION ${identifier(constraintName(table.name, [], kind))};`),
  )
  const drop = {
    // One statement, because the tables may refer to each other.
    sql: [`DROP TABLE ${names.map(identifier).join(', ')};`, ...functions].join('\n'),
    description: `Drops ${list}.`,
    dataLossNote: `Loses all rows of ${list}.`,
  }
  const wait = `Changes nothing: ${list} and all rows stay until the previous code has stopped.`
  return {
    slug: `remove_${names.join('_and_')}`,
    expand: { start: [{ sql: '', description: wait }] },
    contract: { start: [drop] },
    losses: tables.map(({ entity }) => entity),
    renames: possibleRenames(
      tables.map(({ entity }) => entity.split('.').at(-1) ?? ''),
      added.map(({ entity }) => entity),
    ).map(([was, now]) => renameHelp(was, now)),
  }
}

/** The tables that Portico adds for itself, with what they contain. What is in them is no data of the user's entities. */
const OWN_TABLES: ReadonlyMap<string, string> = new Map([
  [KEYS_TABLE, 'the keys of requests'],
  [JOBS_TABLE, 'the jobs'],
])

/** Whether a table belongs to no entity. */
export const isOwnTable = ({ name }: Pick<Table, 'name'>): boolean => OWN_TABLES.has(name)

/** Drops a table that belongs to no entity. */
export function dropOwnTable({ name }: Pick<Table, 'name'>): Change {
  const drop = { sql: `DROP TABLE ${identifier(name)};`, description: `Drops ${OWN_TABLES.get(name)}.` }
  return { slug: `remove${name}`, contract: { start: [drop] } }
}

/** What keeps the data of a removed struct or service if an added one is the same. */
export function renameHelp(was: string, now: string): string {
  return `write \`#was(${was})\` in \`${now}\` if it was renamed`
}

/**
 * Services or structs that are gone, each with a new one that may be the same. The authentication service, which the
 * definition does not declare, is never renamed.
 */
export function possibleRenames(
  removed: readonly string[],
  added: readonly string[],
): (readonly [was: string, now: string])[] {
  const declared = added.filter((name) => name !== AUTHENTICATION)
  return removed
    .filter((name) => name !== AUTHENTICATION)
    .flatMap((was, index) => {
      const now = declared[index]
      return now === undefined ? [] : [[was, now] as const]
    })
}

/** Updates the documentation of a table and its columns. */
export function documentTable({ before, after }: TablePair): Change {
  const known = new Map(before.columns.map((column) => [column.name, column]))
  const table = identifier(after.name)
  const cleared = after.columns.filter(
    ({ name, documentation }) => documentation === '' && (known.get(name)?.documentation ?? '') !== '',
  )
  const statements = [
    ...(before.documentation !== '' && after.documentation === ''
      ? [`COMMENT ON TABLE ${table} IS NULL;`]
      : []),
    ...cleared.map(({ name }) => `COMMENT ON COLUMN ${table}.${identifier(name)} IS NULL;`),
    ...commentStatements({
      name: after.name,
      documentation: before.documentation === after.documentation ? '' : after.documentation,
      columns: after.columns.filter(({ name, type, documentation }) => {
        const was = known.get(name)
        // A column of another type may be a new one.
        return was?.documentation !== documentation || was.type !== type
      }),
    }),
  ]
  const description = `Updates the documentation of ${after.name}.`
  return { expand: { start: statements.map((sql) => ({ sql, description })) } }
}

/** Whether the trigger that serializes writes changes. */
export function changesWriteLock({ before, after }: TablePair): boolean {
  const types = new Map(before.columns.map(({ name, type }) => [name, type]))
  return (
    JSON.stringify(before.serialized) !== JSON.stringify(after.serialized) ||
    after.columns.some(
      ({ name, type }) => types.get(name) !== type && after.serialized.some((each) => each.name === name),
    )
  )
}

/** Drops the trigger that serializes writes: a column that it uses can be neither retyped nor dropped. */
export function dropWriteLock({ before, after }: TablePair): Change {
  return before.serialized.length === 0 ? {} : { expand: { start: [dropTrigger(after, 'serialize')] } }
}

/** Creates it again. Until the contract phase it uses removed columns as well. */
export function createWriteLock({ before, after }: TablePair): Change {
  const names = new Set(after.columns.map(({ name }) => name))
  const removed = before.serialized.filter(({ name }) => !names.has(name))
  const description = `Serializes writes of equal values to ${after.name}.`
  const create = (more: Table['serialized']): MigrationStep[] =>
    serializeWrites(after.name, [...after.serialized, ...more]).map((sql) => ({ sql, description }))
  const again = create([])
  return {
    expand: { start: create(removed) },
    contract: { start: removed.length === 0 ? [] : [dropTrigger(after, 'serialize'), ...again] },
    direct: { start: again },
  }
}

/** Creates the triggers of `#timestamps` and `#versioned`, or drops them before their columns. */
export function changeMaintenance({ before, after }: TablePair): Change[] {
  const { name } = after
  return [
    ...changeTrigger(after, 'touch', [hasTimestamps(before), hasTimestamps(after)], {
      sql: updateTimestampTrigger(name),
      description: `Sets ${UPDATED_COLUMN} of ${name} on each change.`,
    }),
    ...changeTrigger(after, 'version', [hasVersions(before), hasVersions(after)], {
      sql: versionTrigger(name),
      description: `Counts the changes of each row of ${name}, including those of the previous code.`,
    }),
  ]
}

function changeTrigger(
  table: Table,
  kind: 'touch' | 'version',
  [had, has]: readonly [boolean, boolean],
  create: MigrationStep,
): Change[] {
  if (had === has) return []
  const column = kind === 'touch' ? UPDATED_COLUMN : VERSION_COLUMN
  const drop = {
    ...dropTrigger(table, kind),
    description: `Drops the trigger that maintained ${column}.`,
  }
  return [has ? { expand: { start: [create] } } : { contract: { start: [drop] } }]
}

function dropTrigger(table: Table, kind: TriggerKind): MigrationStep {
  const name = identifier(constraintName(table.name, [], kind))
  return { sql: `DROP TRIGGER ${name} ON ${identifier(table.name)};\nDROP FUNCTION ${name}();` }
}
