import type postgres from 'postgres'

/** Selects every column, constraint, index and trigger of a database as `object`. */
export const SCHEMA_OBJECTS = `
  WITH tables AS (SELECT oid, relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_migration')
  SELECT format('%s.%s %s%s%s %s', relname, attname, format_type(atttypid, atttypmod),
      CASE WHEN attnotnull THEN ' NOT NULL' END, ' DEFAULT ' || pg_get_expr(adbin, adrelid),
      col_description(tables.oid, attnum)) AS object
    FROM pg_attribute JOIN tables ON tables.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attnum > 0 AND NOT attisdropped
  UNION ALL SELECT format('%s %s %s %s', relname, conname, convalidated, pg_get_constraintdef(pg_constraint.oid))
    FROM pg_constraint JOIN tables ON tables.oid = conrelid WHERE contype <> 'n'
  UNION ALL SELECT format('%s %s', pg_get_indexdef(indexrelid), indisvalid)
    FROM pg_index JOIN tables ON tables.oid = indrelid
  UNION ALL SELECT pg_get_triggerdef(pg_trigger.oid)
    FROM pg_trigger JOIN tables ON tables.oid = tgrelid WHERE NOT tgisinternal
  UNION ALL SELECT pg_get_functiondef(pg_proc.oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname <> '_apply_migration'
  UNION ALL SELECT format('%s %s', relname, obj_description(oid)) FROM tables`

/** The objects of a database in an order that does not depend on that of columns. */
export async function schemaObjects(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql.unsafe<{ object: string }[]>(SCHEMA_OBJECTS)
  return rows.map(({ object }) => object).sort()
}

/** Empties a database, runs a script, and returns what the database has then. */
export async function reset(sql: postgres.Sql, script: string): Promise<string[]> {
  await sql.unsafe(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${script}`)
  return schemaObjects(sql)
}
