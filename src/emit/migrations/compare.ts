import { addConstraint } from '../database/sql.ts'
import type { Table } from '../database/table.ts'
import type { Change, TablePair } from './change.ts'
import { compareColumns } from './columns.ts'
import { compareConstraints } from './constraints.ts'
import { withFormerColumns } from './former-columns.ts'
import { compareIndexes } from './indexes.ts'
import type { BackfillOf } from './nullability.ts'
import {
  addTable,
  changesWriteLock,
  changeMaintenance,
  createWriteLock,
  documentTable,
  dropOwnTable,
  dropTables,
  dropWriteLock,
  isOwnTable,
  renameTable,
  withNames,
} from './tables.ts'

/** Returns how the tables of one database become others, in the order of the statements; nothing if they are the same. */
export function compareSchemas(
  before: readonly Table[],
  after: readonly Table[],
  backfillOf: BackfillOf = () => undefined,
): Change[] {
  const names = newNames(before, after)
  const old = new Map(before.map((table) => withNames(table, names)).map((table) => [table.name, table]))
  const pairs = after.flatMap((table): TablePair[] => {
    const found = old.get(table.name)
    return found === undefined ? [] : [{ before: found, after: withFormerColumns(table, found) }]
  })
  const added = after.filter(({ name }) => !old.has(name))
  const gone = [...old.values()].filter(({ name }) => !after.some((table) => table.name === name))
  const removed = gone.filter((table) => !isOwnTable(table))
  const locked = pairs.filter(changesWriteLock)
  const tables = pairs.map((pair) => ({ pair, columns: compareColumns(pair, backfillOf) }))
  const constraintsOf = (kind: 'fkey' | 'check' | 'key') =>
    tables.map(({ pair, columns }) => compareConstraints(pair, columns, kind))
  const [references, checks, keys] = [constraintsOf('fkey'), constraintsOf('check'), constraintsOf('key')]
  const changes = [
    ...before.flatMap((table) => {
      const to = names.get(table.name)
      return to === undefined ? [] : [renameTable(table, to)]
    }),
    ...added.map(addTable),
    ...locked.map(dropWriteLock),
    ...tables.flatMap(({ columns }) => columns.changes),
    // A foreign key needs the unique key that it refers to: it is dropped before that, and added after it.
    ...references.flatMap((each) => each.dropped),
    ...(removed.length === 0
      ? []
      : [
          dropTables(
            removed,
            added.filter((table) => !isOwnTable(table)),
          ),
        ]),
    ...gone.filter(isOwnTable).map(dropOwnTable),
    ...keys.flatMap((each) => each.dropped),
    ...checks.flatMap((each) => [...each.dropped, ...each.added]),
    ...tables.flatMap(({ columns }) => columns.requirements),
    ...keys.flatMap((each) => each.added),
    ...references.flatMap((each) => each.added),
    ...added.flatMap(({ name, foreignKeys }) =>
      foreignKeys.map((key): Change => ({ expand: { start: [{ sql: addConstraint(name, key) }] } })),
    ),
    ...tables.flatMap(({ pair, columns }) => compareIndexes(pair, columns)),
    ...locked.map(createWriteLock),
    ...pairs.flatMap(changeMaintenance),
  ]
  return changes.length === 0 ? [] : [...changes, ...pairs.map(documentTable)]
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

/** The new names of renamed tables by their old ones. */
function newNames(before: readonly Table[], after: readonly Table[]): ReadonlyMap<string, string> {
  return new Map(
    after.flatMap((table) => {
      const was = formerTable(table, before)?.name
      return was !== undefined && was !== table.name && !after.some(({ name }) => name === was)
        ? [[was, table.name] as const]
        : []
    }),
  )
}
