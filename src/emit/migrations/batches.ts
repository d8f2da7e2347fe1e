import { dollarQuoted, identifier } from '../database/identifiers.ts'
import type { Table } from '../database/table.ts'
import { keepTimestamps } from '../database/timestamps.ts'

/** The number of rows that are updated in one transaction. */
export const BATCH_SIZE = 10_000

/** Updates only some rows at a time, and so locks only those. It can be run again. */
export function inBatches(table: Table, assignment: string, condition = ''): string {
  const name = identifier(table.name)
  const keep = keepTimestamps(table).replace(/^(?=.)/, '    ')
  // No attribute has the name of one of these variables, but one may be called `found`, like that of PL/pgSQL.
  return `DO ${dollarQuoted(`
#variable_conflict use_column
DECLARE
  _last uuid := '00000000-0000-0000-0000-000000000000';
  _ids uuid[];
BEGIN
  LOOP
    SELECT array_agg(id ORDER BY id) INTO _ids
      FROM (SELECT id FROM ${name} WHERE id > _last ORDER BY id LIMIT ${BATCH_SIZE}) AS batch;
    EXIT WHEN _ids IS NULL;
${keep}    UPDATE ${name} SET ${assignment} WHERE id = ANY (_ids)${condition};
    COMMIT;
    _last := _ids[cardinality(_ids)];
  END LOOP;
END `)};`
}
