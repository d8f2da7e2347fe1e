import { identifier, literal } from './names.ts'
import type { Constraint, Table } from './table.ts'

/** The script that makes the tables in an empty database, run by the role that owns it. */
export function schemaScript(title: string, tables: readonly Table[]): string {
  return [
    `-- ${title}`,
    "SET client_encoding = 'UTF8';",
    ...tables.flatMap((table) => [createTable(table), ...createIndexes(table), ...comments(table)]),
    // Behind all tables: some refer to later ones.
    ...tables.flatMap(({ name, foreignKeys }) => foreignKeys.map((key) => addConstraint(name, key))),
  ]
    .map((statement) => `${statement}\n`)
    .join('\n')
}

function createTable({ name, columns, constraints }: Table): string {
  const lines = [
    ...columns.map((column) => `${identifier(column.name)} ${column.type} NOT NULL`),
    ...constraints.map(constraintClause),
  ]
  return `CREATE TABLE ${identifier(name)} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`
}

function createIndexes({ name, indexes }: Table): string[] {
  return indexes.map(
    (index) =>
      `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${identifier(index.name)} ON ${identifier(name)} ${index.definition};`,
  )
}

function comments({ name, documentation, columns }: Table): string[] {
  const ofColumns = columns.flatMap((column) =>
    column.documentation === ''
      ? []
      : `COMMENT ON COLUMN ${identifier(name)}.${identifier(column.name)} IS ${literal(column.documentation)};`,
  )
  const ofTable =
    documentation === '' ? [] : [`COMMENT ON TABLE ${identifier(name)} IS ${literal(documentation)};`]
  const all = [...ofTable, ...ofColumns]
  return all.length === 0 ? [] : [all.join('\n')]
}

function addConstraint(table: string, constraint: Constraint): string {
  return `ALTER TABLE ${identifier(table)}\n  ADD ${constraintClause(constraint)};`
}

function constraintClause({ name, definition }: Constraint): string {
  return `CONSTRAINT ${identifier(name)} ${definition}`
}
