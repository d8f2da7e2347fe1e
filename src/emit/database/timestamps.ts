import { constraintName, CREATED_COLUMN, dollarQuoted, identifier, UPDATED_COLUMN } from './identifiers.ts'
import type { Column, Table } from './table.ts'

/** Whether a column belongs to `#timestamps`. */
export function isTimestamp({ name }: Pick<Column, 'name'>): boolean {
  return name === CREATED_COLUMN || name === UPDATED_COLUMN
}

/** Whether a table has `#timestamps`. */
export function hasTimestamps({ columns }: Pick<Table, 'columns'>): boolean {
  return columns.some(isTimestamp)
}

/** The setting with which rows keep their timestamps, because a migration changes all of them. */
const SETTING = 'portico.keep_timestamps'

/** The statement with which the rest of a transaction keeps the timestamps of a table; empty without `#timestamps`. */
export function keepTimestamps(table: Table): string {
  return hasTimestamps(table) ? `SET LOCAL ${SETTING} = 'on';\n` : ''
}

/**
 * Sets the time of each change, including those of the user's own SQL. It is the time of the statement: a transaction
 * that began before the row was created would have changed it before its creation.
 */
export function updateTimestampTrigger(table: string): string {
  const trigger = identifier(constraintName(table, [], 'touch'))
  return `CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS ${dollarQuoted(`
BEGIN
  IF current_setting('${SETTING}', true) IS DISTINCT FROM 'on' THEN
    NEW.${identifier(UPDATED_COLUMN)} := clock_timestamp();
  END IF;
  RETURN NEW;
END
`)};
CREATE TRIGGER ${trigger} BEFORE UPDATE ON ${identifier(table)}
  FOR EACH ROW EXECUTE FUNCTION ${trigger}();`
}
