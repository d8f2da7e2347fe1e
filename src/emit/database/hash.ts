import { withSortedKeys } from '../../json.ts'
import type { Table } from './table.ts'
import { sha256 } from '../../sha256.ts'

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
  // The order in which a property was written does not matter.
  const text = JSON.stringify(withSortedKeys(byName(content)))
  return sha256(text)
}

function byName<Item extends { readonly name: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
