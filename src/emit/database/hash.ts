import { createHash } from 'node:crypto'
import { withSortedKeys } from '../../json.ts'
import type { Table } from './table.ts'

/** Identifies a schema, whatever its documentation and the order of its tables and columns: 64 hex digits. */
export function schemaHash(tables: readonly Table[]): string {
  const content = tables.map(({ name, columns, constraints, foreignKeys, indexes }) => ({
    name,
    columns: byName(
      columns.map((column) => ({ name: column.name, type: column.type, nullable: column.nullable })),
    ),
    constraints: byName([...constraints, ...foreignKeys]),
    indexes: byName(indexes),
  }))
  return (
    createHash('sha256')
      // The order in which a property was written does not matter.
      .update(JSON.stringify(withSortedKeys(byName(content))))
      .digest('hex')
  )
}

function byName<Item extends { readonly name: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
