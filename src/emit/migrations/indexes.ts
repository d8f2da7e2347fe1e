import { identifier } from '../database/identifiers.ts'
import { createIndex } from '../database/sql.ts'
import type { Index } from '../database/table.ts'
import type { ChangedColumns, SchemaChange, TablePair } from './steps.ts'

/** Changes indexes that do not belong to constraints. */
export function changeIndexes(
  change: SchemaChange,
  { before, after }: TablePair,
  { removed, renamed, retyped, replaced }: ChangedColumns,
): void {
  const gone = new Set([...removed, ...renamed.values()])
  for (const each of before.indexes) {
    if (after.indexes.some((index) => isSameIndex(index, each))) continue
    // It was dropped before its column got another type.
    if (columnsOf(each).some((name) => retyped.has(name))) continue
    // The index of a column goes with it; `dev` renames the column.
    change.direct.push(`DROP INDEX ${identifier(each.name)};`)
    if (columnsOf(each).some((name) => gone.has(name))) continue
    change.slugs.push(`remove_index_of_${after.name}`)
    change.expand.outside.push({
      sql: `DROP INDEX CONCURRENTLY IF EXISTS ${identifier(each.name)};`,
      description: `Drops the index ${each.name}, which the new code does not need. Reads and writes continue.`,
    })
  }
  for (const each of after.indexes) {
    const isOld = before.indexes.some((index) => isSameIndex(index, each))
    if (isOld && !columnsOf(each).some((name) => replaced.has(name))) continue
    if (!isOld) change.slugs.push(`add_index_to_${after.name}`)
    change.direct.push(createIndex(after.name, each))
    change.expand.outside.push({
      sql: createIndex(after.name, each, true),
      description: `Builds the index ${each.name}. Reads and writes of ${after.name} continue.`,
    })
  }
}

/** Whether two indexes of a table are the same: one of text has a collation, and the same name without it. */
export function isSameIndex(a: Index, b: Index): boolean {
  return createIndex('', a) === createIndex('', b)
}

/** The columns of an index. */
export function columnsOf({ keys }: Index): string[] {
  return keys.map(({ column }) => column)
}
