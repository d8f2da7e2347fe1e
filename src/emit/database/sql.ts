import { checkCondition } from '../../model/columns.ts'
import { assertNever } from '../../model/platform.ts'
import { comment, constraintName, dollarQuoted, identifier, literal, PARENT_COLUMN } from './identifiers.ts'
import { JOBS_TABLE } from './jobs.ts'
import type { Column, Constraint, Index, IndexKey, SerializedColumn, Table } from './table.ts'
import { hasTimestamps, isTimestamp, updateTimestampTrigger } from './timestamps.ts'
import { hasVersions, isVersion, versionTrigger } from './versions.ts'

/** The statements that create the tables. The role that owns the database runs them. */
export function schemaScript(tables: readonly Table[]): string {
  return [
    ...tables.flatMap(tableStatements),
    // Added after all tables exist, because some refer to later ones.
    ...tables.flatMap(({ name, foreignKeys }) => foreignKeys.map((key) => addConstraint(name, key))),
  ]
    .map((statement) => `${statement}\n`)
    .join('\n')
}

/** The statements that create a table, without its foreign keys to tables that may not exist yet. */
export function tableStatements(table: Table): string[] {
  const { name, serialized, indexes } = table
  return [
    createTable(table),
    ...indexes.map((index) => createIndex(name, index)),
    ...serializeWrites(name, serialized),
    ...(hasTimestamps(table) ? [updateTimestampTrigger(name)] : []),
    ...(hasVersions(table) ? [versionTrigger(name)] : []),
    ...commentStatements(table),
  ]
}

function createTable({ name, columns, constraints }: Table): string {
  const lines = [
    ...columns.map(
      (column) =>
        `${identifier(column.name)} ${column.type}${column.nullable ? '' : ' NOT NULL'}${ownDefault(name, column)}`,
    ),
    ...constraints.map(constraintClause),
  ]
  return `CREATE TABLE ${identifier(name)} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`
}

/** The default of a column that the database maintains. That of an attribute is part of each statement. */
function ownDefault(table: string, column: Column): string {
  if (isTimestamp(column)) return ' DEFAULT now()'
  const isOwn = isVersion(column) || (table === JOBS_TABLE && column.default !== undefined)
  return isOwn ? ` DEFAULT ${column.default}` : ''
}

/** `concurrently`: without a lock, outside of a transaction, and once however often it runs. */
export function createIndex(
  table: string,
  { name, unique, keys, where }: Index,
  concurrently = false,
): string {
  const how = concurrently ? ' CONCURRENTLY IF NOT EXISTS' : ''
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX${how} ${identifier(name)} ON ${identifier(table)} (${keys.map(indexKey).join(', ')})${where === undefined ? '' : ` WHERE ${where}`};`
}

function indexKey({ column, isText, isDescending, ignoresCase }: IndexKey): string {
  const value = `${identifier(column)}${isText ? ' COLLATE "C"' : ''}`
  return `${ignoresCase ? `lower(${value})` : value}${isDescending ? ' DESC NULLS LAST' : ''}`
}

/**
 * Serializes writes of equal values with a lock. Unlike a unique index, an exclusion constraint would let two
 * concurrent transactions wait for each other until Postgres detects the deadlock, which takes a second.
 */
export function serializeWrites(name: string, serialized: readonly SerializedColumn[]): string[] {
  if (serialized.length === 0) return []
  const trigger = identifier(constraintName(name, [], 'serialize'))
  const locks = serialized.map((column, seed) => {
    const value = `NEW.${identifier(column.name)}`
    const text = column.type === 'text' ? value : `encode(sha256(${value}), 'hex')`
    return `  PERFORM pg_advisory_xact_lock(hashtextextended(${text}, ${seed}));\n`
  })
  const columns = serialized.map((column) => identifier(column.name)).join(', ')
  return [
    `${comment('Serializes writes of equal values, which would otherwise deadlock because of the exclusion constraint.')}
CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS ${dollarQuoted(`
BEGIN
${locks.join('')}  RETURN NEW;
END
`)};
CREATE TRIGGER ${trigger} BEFORE INSERT OR UPDATE OF ${columns} ON ${identifier(name)}
  FOR EACH ROW EXECUTE FUNCTION ${trigger}();`,
  ]
}

/** The doc comments of a table and its columns. */
export function commentStatements({
  name,
  documentation,
  columns,
}: Pick<Table, 'name' | 'documentation' | 'columns'>): string[] {
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

/** `suffix`: what follows the definition, such as ` NOT VALID`. */
export function addConstraint(table: string, constraint: Constraint, suffix = ''): string {
  return `ALTER TABLE ${identifier(table)}\n  ADD ${constraintClause(constraint)}${suffix};`
}

/** Drops a constraint. */
export function dropConstraint(table: string, { name }: Pick<Constraint, 'name'>): string {
  return `ALTER TABLE ${identifier(table)} DROP CONSTRAINT ${identifier(name)};`
}

function constraintClause(each: Constraint): string {
  return `CONSTRAINT ${identifier(each.name)} ${constraintRule(each)}`
}

/** What a constraint requires, in SQL. */
export function constraintRule(each: Constraint): string {
  const columns = each.columns.map(identifier).join(', ')
  switch (each.kind) {
    case 'pkey':
      return `PRIMARY KEY (${columns === '' ? '"id"' : columns})`
    case 'key':
      return each.isHashed ? `EXCLUDE USING hash (${columns} WITH =)` : `UNIQUE (${columns})`
    case 'fkey': {
      const parent = each.sameParent ? `, ${identifier(PARENT_COLUMN)}` : ''
      const action = each.cascades ? ' ON DELETE CASCADE' : ''
      return `FOREIGN KEY (${columns}${parent}) REFERENCES ${identifier(each.table)} ("id"${parent})${action}`
    }
    case 'check':
      return `CHECK (${checkCondition(columns, each.check)})`
    default:
      return assertNever(each)
  }
}
