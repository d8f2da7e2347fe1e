import type { Table } from './table.ts'

/** One table, without documentation and the order of columns, which do not affect stored data. */
export interface TableSnapshot {
  readonly name: string
  /** SQL type by column, followed by ` NULL` if it can be null. */
  readonly columns: Readonly<Record<string, string>>
  /** SQL definitions of constraints, foreign keys and indexes by name. */
  readonly constraints: Readonly<Record<string, string>>
}

/** What of a table affects stored data. */
export function tableSnapshot({ name, columns, constraints, foreignKeys, indexes }: Table): TableSnapshot {
  return {
    name,
    columns: Object.fromEntries(
      columns.map(({ name: column, type, nullable }) => [column, nullable ? `${type} NULL` : type]),
    ),
    constraints: Object.fromEntries([
      ...[...constraints, ...foreignKeys].map((constraint) => [constraint.name, constraint.definition]),
      ...indexes.map((index) => [index.name, `${index.unique ? 'UNIQUE ' : ''}INDEX ${index.definition}`]),
    ]),
  }
}
