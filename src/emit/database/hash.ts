import { createHash } from 'node:crypto'
import { tableSnapshot } from './snapshot.ts'
import type { Table } from './table.ts'

/** Identifies a schema, whatever its documentation and the order of its tables and columns: 64 hex digits. */
export function schemaHash(tables: readonly Table[]): string {
  const content = tables.map(tableSnapshot).map(({ name, columns, constraints }) => ({
    name,
    columns: sorted(Object.entries(columns)),
    constraints: sorted(Object.entries(constraints)),
  }))
  const text = JSON.stringify(content.sort((a, b) => (a.name < b.name ? -1 : 1)))
  return createHash('sha256').update(text).digest('hex')
}

function sorted(entries: [string, string][]): [string, string][] {
  return entries.sort(([a], [b]) => (a < b ? -1 : 1))
}
