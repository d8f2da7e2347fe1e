import { constraintName, identifier, literal } from './names.ts'
import type { Constraint, Table } from './table.ts'

/** The script that makes the tables in an empty database, run by the role that owns it. */
export function schemaScript(title: string, tables: readonly Table[]): string {
  return [
    `-- ${title}`,
    "SET client_encoding = 'UTF8';",
    ...tables.flatMap((table) => [
      createTable(table),
      ...createIndexes(table),
      ...serialize(table),
      ...comments(table),
    ]),
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

/**
 * Two equal values that are written at the same time would each wait for the other's transaction, which an
 * exclusion constraint, unlike a unique index, leaves to the detection of deadlocks: a second for each pair.
 * A lock on the value puts the writers in line.
 */
function serialize({ name, serialized }: Table): string[] {
  if (serialized.length === 0) return []
  const trigger = identifier(constraintName(name, [], 'serialize'))
  const locks = serialized.map((column, seed) => {
    const value = `NEW.${identifier(column.name)}`
    const text = column.type === 'text' ? value : `encode(sha256(${value}), 'hex')`
    return `  PERFORM pg_advisory_xact_lock(hashtextextended(${text}, ${seed}));\n`
  })
  const columns = serialized.map((column) => identifier(column.name)).join(', ')
  return [
    `-- Rows with equal values are written one after the other: an exclusion constraint alone would let them deadlock.
CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
${locks.join('')}  RETURN NEW;
END
$$;
CREATE TRIGGER ${trigger} BEFORE INSERT OR UPDATE OF ${columns} ON ${identifier(name)}
  FOR EACH ROW EXECUTE FUNCTION ${trigger}();`,
  ]
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
