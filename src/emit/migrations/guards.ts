import { checkCondition } from '../../model/columns.ts'
import { dollarQuoted, identifier, literal, PARENT_COLUMN } from '../database/identifiers.ts'
import type { Column, Constraint } from '../database/table.ts'
import type { MigrationStep } from './change.ts'

/** How many ids of rows an error names. */
const EXAMPLES = 5

/**
 * Fails if rows do not satisfy a constraint that they will have to satisfy, with their number and the first ids.
 * `values` are those that rows without one will have, by column.
 */
export function guard(
  table: string,
  each: Constraint,
  values: ReadonlyMap<string, string | undefined> = new Map(),
): MigrationStep {
  const names = each.columns.join(', ')
  if (each.kind === 'check') {
    const condition = checkCondition(each.columns.map(identifier).join(), each.check)
    return failIf(table, `NOT (${condition})`, `have values of ${names} that are no longer allowed`)
  }
  if (each.kind === 'fkey') return failIf(table, unknownReference(table, each), `have an unknown ${names}`)
  const group = each.columns
    .map((name) => {
      const value = values.get(name)
      return value === undefined ? identifier(name) : `coalesce(${identifier(name)}, ${value})`
    })
    .join(', ')
  const repeated = `SELECT ${group} FROM ${identifier(table)} GROUP BY ${group} HAVING count(*) > 1`
  return failIf(table, `(${group}) IN (${repeated})`, `share their ${names} with another row`)
}

/** Fails if rows have no value in a column. */
export function guardNotNull(table: string, column: string): MigrationStep {
  return failIf(table, `${identifier(column)} IS NULL`, `have no value for ${column}`)
}

/** Fails if a type does not have the values of a column, which are given as text. */
export function guardValidity(table: string, { name, type }: Column, text: string): MigrationStep {
  const invalid = `NOT pg_input_is_valid(${text}, ${literal(type)})`
  return failIf(table, invalid, `have values of ${name} that cannot be converted to ${type}`)
}

/** Fails if a conversion to another type and back gives other values. The text `01` becomes `1`. */
export function guardConversion(table: string, { name, type }: Column, conversion: string): MigrationStep {
  const text = `(${conversion})::text`
  const value = identifier(name)
  // The text may not be one of the former type: that of the bytes of 3 is \x33.
  const differs = `CASE WHEN pg_input_is_valid(${text}, ${literal(type)}) THEN ${text}::${type} IS DISTINCT FROM ${value} ELSE ${value} IS NOT NULL END`
  return failIf(table, differs, `have values of ${name} that change when they are converted`)
}

function unknownReference(
  table: string,
  { columns: [name = ''], table: target, sameParent }: Extract<Constraint, { kind: 'fkey' }>,
): string {
  const own = (column: string) => `${identifier(table)}.${identifier(column)}`
  const pairs = [
    `target."id" = ${own(name)}`,
    ...(sameParent ? [`target.${identifier(PARENT_COLUMN)} = ${own(PARENT_COLUMN)}`] : []),
  ]
  // An optional reference may have no value.
  return `${identifier(name)} IS NOT NULL AND NOT EXISTS (SELECT FROM ${identifier(target)} AS target WHERE ${pairs.join(' AND ')})`
}

function failIf(table: string, condition: string, what: string): MigrationStep {
  return {
    // Attributes may be called `amount`, `examples` or, like a variable of PL/pgSQL, `found`.
    sql: `DO ${dollarQuoted(`
#variable_conflict use_column
DECLARE
  amount bigint;
  examples text;
BEGIN
  SELECT count(*), string_agg(id::text, ', ') FILTER (WHERE number <= ${EXAMPLES}) INTO amount, examples
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM ${identifier(table)} WHERE ${condition}) AS found;
  IF amount > 0 THEN
    RAISE EXCEPTION ${literal(`Rows of ${table} ${what.replaceAll('%', '%%')} (%): %`)}, amount, examples;
  END IF;
END `)};`,
    description: `Fails and changes nothing if rows of ${table} ${what}.`,
    reads: table,
  }
}
