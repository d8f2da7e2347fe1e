import { constraintName, dollarQuoted, identifier } from '../database/identifiers.ts'
import type { Column, Table } from '../database/table.ts'
import { BATCH_SIZE, inBatches } from './batches.ts'
import { ValueNames } from './former-columns.ts'
import { validateConstraint } from './guards.ts'
import { columnLabel, type SchemaChange } from './steps.ts'
import { dropConstraint } from '../database/sql.ts'

/**
 * Adds a column with the new name, and keeps both equal until the contract phase, apart from the names of values. One
 * that becomes required is optional until then.
 */
export function renameColumn(change: SchemaChange, table: Table, from: Column, to: Column): void {
  const target = identifier(table.name)
  const [old, name] = [identifier(from.name), identifier(to.name)]
  change.slugs.push(`rename_${from.name}_to_${to.name}`)
  if (from.type !== to.type) {
    const [was, is] = [columnLabel(table, from), columnLabel(table, to)]
    change.problems.push(
      `\`${is}\` has another type than \`${was}\`, from which it was renamed: rename it with the old type first, then change the type`,
    )
    return
  }
  const values = new ValueNames(from, to)
  const what = values.isSame ? '' : ', apart from the new names of its values,'
  const sync = identifier(constraintName(table.name, [to.name], 'sync'))
  const present = constraintName(table.name, [to.name], 'present')
  const isOptional = to.nullable === true || from.nullable === true
  const isRelaxed = to.nullable === true && !from.nullable
  change.expand.start.push(
    ...(isRelaxed
      ? [
          {
            sql: `ALTER TABLE ${target} ALTER COLUMN ${old} DROP NOT NULL;`,
            description: `Makes ${from.name} of ${table.name} optional, because a trigger keeps it equal to ${to.name}.`,
          },
        ]
      : []),
    {
      sql: `ALTER TABLE ${target} ADD COLUMN ${name} ${to.type};`,
      description: `Adds ${to.name} to ${table.name}, kept equal to ${from.name}${what} by a trigger.`,
    },
    {
      sql: `CREATE FUNCTION ${sync}() RETURNS trigger LANGUAGE plpgsql AS ${dollarQuoted(`
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
  FOR EACH ROW EXECUTE FUNCTION ${sync}();`,
    },
    ...(isOptional
      ? []
      : [
          {
            sql: `ALTER TABLE ${target} ADD CONSTRAINT ${identifier(present)} CHECK (${name} IS NOT NULL) NOT VALID;`,
          },
        ]),
  )
  change.expand.outside.push({
    sql: inBatches(table, `${name} = ${values.sqlAfter(old)}`, ` AND ${name} IS NULL`),
    description: `Copies ${from.name} of ${table.name} to ${to.name}, ${BATCH_SIZE.toLocaleString('en')} rows at a time.`,
    lockNote: 'Locks only the rows that it copies, for less than a second.',
  })
  change.direct.push(`ALTER TABLE ${target} RENAME COLUMN ${old} TO ${name};`)
  if (isRelaxed) change.direct.push(`ALTER TABLE ${target} ALTER COLUMN ${name} DROP NOT NULL;`)
  if (isOptional) return
  change.expand.validate.push(validateConstraint(table.name, { name: present }))
  change.expand.end.push(
    {
      sql: `ALTER TABLE ${target} ALTER COLUMN ${name} SET NOT NULL;`,
      description: `Makes ${to.name} of ${table.name} required, which its rows already satisfy.`,
    },
    { sql: dropConstraint(table.name, { name: present }) },
  )
}

/** Drops the column with the former name. */
export function dropFormerColumn(change: SchemaChange, table: Table, from: Column, to: Column): void {
  const target = identifier(table.name)
  const sync = identifier(constraintName(table.name, [to.name], 'sync'))
  change.contract.start.push({
    sql: `DROP TRIGGER ${sync} ON ${target};\nDROP FUNCTION ${sync}();\nALTER TABLE ${target} DROP COLUMN ${identifier(from.name)};`,
    description: `Drops ${from.name} of ${table.name} and its trigger. Its values are in ${to.name}.`,
  })
}
