import { identifier } from '../database/identifiers.ts'
import { createIndex } from '../database/sql.ts'
import type { Index, Table } from '../database/table.ts'
import type { Change, MigrationStep, TablePair } from './change.ts'
import type { ChangedColumns } from './columns.ts'

/** Compares the indexes of a table that do not belong to constraints. */
export function compareIndexes(
  { before, after: table }: TablePair,
  { removed, renamed, retyped }: ChangedColumns,
): Change[] {
  const gone = new Set([...removed, ...Array.from(renamed.values(), ({ from }) => from.name)])
  return [
    ...before.indexes
      // Those of columns with another type are dropped before.
      .filter((each) => !hasIndex(table, each) && !columnsOf(each).some((name) => retyped.has(name)))
      .map((each) =>
        dropIndex(
          table,
          each,
          columnsOf(each).some((name) => gone.has(name)),
        ),
      ),
    ...table.indexes.flatMap((each) => {
      const isReplaced = columnsOf(each).some((name) => retyped.get(name) === false)
      if (!hasIndex(before, each)) return [{ slug: `add_index_to_${table.name}`, ...addIndex(table, each) }]
      return isReplaced ? [addIndex(table, each)] : []
    }),
  ]
}

/** The index of a column goes with it; `dev` renames the column. */
function dropIndex(table: Table, { name }: Index, goesWithColumn: boolean): Change {
  const direct = { start: [{ sql: `DROP INDEX ${identifier(name)};` }] }
  if (goesWithColumn) return { direct }
  const drop = {
    sql: `DROP INDEX CONCURRENTLY IF EXISTS ${identifier(name)};`,
    description: `Drops the index ${name}, which the new code does not need. Reads and writes continue.`,
  }
  return { slug: `remove_index_of_${table.name}`, expand: { outside: [drop] }, direct }
}

function addIndex(table: Table, index: Index): Change {
  const direct = { start: [{ sql: createIndex(table.name, index) }] }
  return { expand: { outside: [buildIndex(table, index)] }, direct }
}

/** Builds an index without a lock. It can be run again. */
export function buildIndex({ name }: Table, index: Index): MigrationStep {
  return {
    sql: createIndex(name, index, true),
    description: `Builds the index ${index.name}. Reads and writes of ${name} continue.`,
  }
}

/** Whether a table has the same index: one of text has a collation, and the same name without it. */
export function hasIndex({ indexes }: Table, index: Index): boolean {
  return indexes.some((each) => createIndex('', each) === createIndex('', index))
}

/** The columns of an index. */
export function columnsOf({ keys }: Index): string[] {
  return keys.map(({ column }) => column)
}
