import type { Entity } from '../../model/platform.ts'
import { constraintName, dollarQuoted, identifier, VERSION_COLUMN } from './identifiers.ts'
import type { Column, Table } from './table.ts'

/** Whether a column belongs to `#versioned`. */
export function isVersion({ name }: Pick<Column, 'name'>): boolean {
  return name === VERSION_COLUMN
}

/** Whether a table has `#versioned`. */
export function hasVersions({ columns }: Pick<Table, 'columns'>): boolean {
  return columns.some(isVersion)
}

/** The first version of an entity, as SQL. That of a user may be deleted and created again with the same id. */
export function firstVersion(isUser: boolean): string {
  return isUser ? '(extract(epoch FROM clock_timestamp()) * 1000)::bigint' : '1'
}

/** The column of the version; none without `#versioned`. */
export function versionColumns({ version }: Entity, isUser: boolean): Column[] {
  if (version === undefined) return []
  const documentation = 'Counts the changes of the entity.'
  return [{ name: VERSION_COLUMN, type: 'bigint', default: firstVersion(isUser), documentation }]
}

/** Counts each change, including those of the user's own SQL and of code that does not know versions yet. */
export function versionTrigger(table: string): string {
  const trigger = identifier(constraintName(table, [], 'version'))
  const column = identifier(VERSION_COLUMN)
  return `CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS ${dollarQuoted(`
BEGIN
  NEW.${column} := OLD.${column} + 1;
  RETURN NEW;
END
`)};
CREATE TRIGGER ${trigger} BEFORE UPDATE ON ${identifier(table)}
  FOR EACH ROW EXECUTE FUNCTION ${trigger}();`
}
