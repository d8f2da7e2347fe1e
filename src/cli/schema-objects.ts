import type { Client } from 'pg'

/**
 * Names as Postgres writes them without a schema, so that two schemas can be compared. NOT NULL is part of a column;
 * `pg_constraint` has it as well.
 */
const OBJECTS = `
  WITH schema AS (SELECT oid FROM pg_namespace WHERE nspname = current_schema()),
    tables AS (SELECT pg_class.oid, relname FROM pg_class, schema WHERE relnamespace = schema.oid
      AND relkind IN ('r', 'p') AND relname <> '_migration')
  SELECT format('column %s of %s', attname, relname) AS object, format_type(atttypid, atttypmod)
      || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
      || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') AS definition
    FROM pg_attribute JOIN tables ON tables.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped
  UNION ALL SELECT format('constraint %s of %s', conname, relname), pg_get_constraintdef(pg_constraint.oid, true)
    FROM pg_constraint JOIN tables ON tables.oid = conrelid WHERE contype <> 'n'
  UNION ALL SELECT format('index %s', indexrelid::regclass), pg_get_indexdef(indexrelid, 0, true)
    FROM pg_index JOIN tables ON tables.oid = indrelid
  UNION ALL SELECT format('trigger %s of %s', tgname, relname), pg_get_triggerdef(pg_trigger.oid, true)
    FROM pg_trigger JOIN tables ON tables.oid = tgrelid WHERE NOT tgisinternal`

/** The definition of each column, constraint, index and trigger of the current schema. */
export async function readObjects(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ object: string; definition: string }>(OBJECTS)
  return new Map(rows.map(({ object, definition }) => [object, definition]))
}

/** What is missing, different or surplus. Tables, indexes and triggers that were added by hand do not matter. */
export function differences(
  wanted: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): string[] {
  const tables = new Set(Array.from(wanted.keys(), tableOf))
  return [
    ...Array.from(wanted).flatMap(([object, definition]) => {
      const actual = found.get(object)
      if (actual === definition) return []
      return actual === undefined ? `${object} is missing` : `${object} is ${actual} instead of ${definition}`
    }),
    ...Array.from(found.keys()).flatMap((object) => {
      const isOurs = /^(?:column|constraint) /.test(object) && tables.has(tableOf(object))
      return isOurs && !wanted.has(object) ? `${object} is not expected` : []
    }),
  ]
}

const tableOf = (object: string) => object.slice(object.lastIndexOf(' of ') + ' of '.length)
