import { constraintName, dollarQuoted, identifier } from '../database/identifiers.ts'
import type { Table } from '../database/table.ts'
import { alterTable, type Change, type ColumnPair, type Phase } from './change.ts'
import { ValueNames } from './former-columns.ts'
import { dropNotNull, setNotNull } from './nullability.ts'
import { inBatches } from './rows.ts'

/**
 * Adds a column with the new name, and keeps both equal until the contract phase, apart from the names of values. One
 * that becomes required is optional until then.
 */
export function renameColumn(table: Table, { from, column }: ColumnPair): Change {
  const target = identifier(table.name)
  const [old, name] = [identifier(from.name), identifier(column.name)]
  const values = new ValueNames(from, column)
  const what = values.isSame ? '' : ', apart from the new names of its values,'
  const sync = identifier(constraintName(table.name, [column.name], 'sync'))
  const isRelaxed = column.nullable === true && !from.nullable
  const { start: required = [], ...rest }: Phase =
    column.nullable || from.nullable ? {} : setNotNull(table, column, ', which its rows already satisfy')
  const trigger = `CREATE FUNCTION ${sync}() RETURNS trigger LANGUAGE plpgsql AS ${dollarQuoted(`
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.${name} := coalesce(NEW.${name}, ${values.sqlAfter(`NEW.${old}`)});
    NEW.${old} := coalesce(NEW.${old}, ${values.sqlBefore(`NEW.${name}`)});
  ELSIF NEW.${name} IS DISTINCT FROM OLD.${name} THEN
    NEW.${old} := ${values.sqlBefore(`NEW.${name}`)};
  ELSE
    NEW.${name} := ${values.sqlAfter(`NEW.${old}`)};
  END IF;
  RETURN NEW;
END
`)};
CREATE TRIGGER ${sync} BEFORE INSERT OR UPDATE ON ${target}
  FOR EACH ROW EXECUTE FUNCTION ${sync}();`
  const add = alterTable(
    table,
    `ADD COLUMN ${name} ${column.type}`,
    `Adds ${column.name} to ${table.name}, kept equal to ${from.name}${what} by a trigger.`,
  )
  const copy = inBatches(table, `${name} = ${values.sqlAfter(old)}`, {
    condition: `${name} IS NULL`,
    does: 'copies',
    description: `Copies ${from.name} of ${table.name} to ${column.name}`,
  })
  const drop = {
    sql: `DROP TRIGGER ${sync} ON ${target};\nDROP FUNCTION ${sync}();\nALTER TABLE ${target} DROP COLUMN ${old};`,
    description: `Drops ${from.name} of ${table.name} and its trigger. Its values are in ${column.name}.`,
  }
  const relaxing = `, because a trigger keeps it equal to ${column.name}`
  return {
    slug: `rename_${from.name}_to_${column.name}`,
    expand: {
      start: [...(isRelaxed ? [dropNotNull(table, from, relaxing)] : []), add, { sql: trigger }, ...required],
      outside: [copy],
      ...rest,
    },
    contract: { drops: [drop] },
    direct: {
      start: [
        alterTable(table, `RENAME COLUMN ${old} TO ${name}`),
        ...(isRelaxed ? [dropNotNull(table, column)] : []),
      ],
    },
  }
}
