import { dollarQuoted, identifier } from '../database/identifiers.ts'
import type { Table } from '../database/table.ts'
import { keepTimestamps } from '../database/timestamps.ts'
import type { MigrationStep } from './change.ts'

/** The number of rows that are updated in one transaction. */
const BATCH_SIZE = 10_000

/** Updates the rows of a table, or those with a condition, and keeps their timestamps. */
export function updateRows(table: Table, assignment: string, condition?: string): string {
  const where = condition === undefined ? '' : ` WHERE ${condition}`
  return `${keepTimestamps(table)}UPDATE ${identifier(table.name)} SET ${assignment}${where};`
}

interface BatchUpdate {
  readonly condition?: string
  readonly does: 'changes' | 'copies'
  /** What it does, as the start of a sentence. */
  readonly description: string
}

/** Does the same with some rows at a time, and so locks only those. It can be run again. */
export function inBatches(
  table: Table,
  assignment: string,
  { condition, does, description }: BatchUpdate,
): MigrationStep {
  const [name, keep] = [identifier(table.name), keepTimestamps(table)]
  const where = condition === undefined ? '' : ` AND ${condition}`
  // No attribute has the name of one of these variables, but one may be called `found`, like that of PL/pgSQL.
  const sql = `DO ${dollarQuoted(`
#variable_conflict use_column
DECLARE
  _last uuid := '00000000-0000-0000-0000-000000000000';
  _ids uuid[];
BEGIN
  LOOP
    SELECT array_agg(id ORDER BY id) INTO _ids
      FROM (SELECT id FROM ${name} WHERE id > _last ORDER BY id LIMIT ${BATCH_SIZE}) AS batch;
    EXIT WHEN _ids IS NULL;
${keep && `    ${keep}`}    UPDATE ${name} SET ${assignment} WHERE id = ANY (_ids)${where};
    COMMIT;
    _last := _ids[cardinality(_ids)];
  END LOOP;
END `)};`
  return {
    sql,
    description: `${description}, ${BATCH_SIZE.toLocaleString('en')} rows at a time.`,
    lockNote: `Locks only the rows that it ${does}, for less than a second.`,
  }
}
