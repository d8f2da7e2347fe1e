import { comment, constraintName, identifier } from '../database/identifiers.ts'
import { dropConstraint } from '../database/sql.ts'
import type { Column, Table } from '../database/table.ts'
import { keepTimestamps } from '../database/timestamps.ts'
import { guardConversion, guardNotNull, guardValidity } from './guards.ts'
import { columnsOf, isSameIndex } from './indexes.ts'
import {
  columnLabel,
  describeRelaxed,
  REWRITE_DURATION,
  type MigrationStep,
  type SchemaChange,
  type TablePair,
} from './steps.ts'

/** Changes the type in place if it is a wider one, else adds a column with the new type. */
export function retypeColumn(
  change: SchemaChange,
  { before, after: table }: TablePair,
  { from, to }: { readonly from: Column; readonly to: Column },
  dropped: Set<string>,
): void {
  const target = identifier(table.name)
  const isWider = isWidening(from.type, to.type)
  // As text, because 0.1 of a `real` would become 0.10000000149011612, which clients would see and filters not find.
  const isDirect = to.type === 'text' || (isWider && from.type !== 'real')
  const conversion = (name: string): string =>
    isDirect ? `${name}::${to.type}` : `${name}::text::${to.type}`
  change.slugs.push(`change_${to.name}_of_${table.name}`)
  // Two of its columns may have other types.
  const lost = [...before.foreignKeys, ...before.constraints].filter(
    (each) => each.columns.includes(to.name) && !dropped.has(each.name),
  )
  for (const each of lost) dropped.add(each.name)
  const indexes = before.indexes.filter(
    (each) =>
      columnsOf(each).includes(to.name) &&
      !(isWider && table.indexes.some((index) => isSameIndex(index, each))) &&
      !dropped.has(each.name),
  )
  for (const each of indexes) dropped.add(each.name)
  const remaining = new Set([...table.foreignKeys, ...table.constraints].map((each) => each.name))
  const drops: MigrationStep[] = [
    ...lost.map((each) => ({
      sql: dropConstraint(table.name, each),
      // The old bounds say nothing about the new type.
      ...(each.kind === 'check' || remaining.has(each.name)
        ? {}
        : { description: describeRelaxed(table.name, each) }),
    })),
    // Only text has the collation of an index.
    ...indexes.map((each) => ({ sql: `DROP INDEX ${identifier(each.name)};` })),
  ]
  change.expand.start.push(...drops)
  const name = identifier(to.name)
  const alterWith = (value: string): string =>
    `ALTER TABLE ${target} ALTER COLUMN ${name} TYPE ${to.type} USING ${value};`
  change.direct.push(...drops.map(({ sql }) => sql))
  if (isWider) change.direct.push(alterWith(conversion(name)))
  else {
    // A cast between numbers rounds, which the guard notices. As text, 5.00 is not an integer.
    const isNumeric = isNumber(from) && isNumber(to)
    const text = isNumeric ? `trunc(${name}::numeric)::text` : `${name}::text`
    const value = isNumeric ? `${name}::${to.type}` : conversion(name)
    change.direct.push(
      guardValidity(table.name, to, text),
      guardConversion(table.name, from, value),
      alterWith(value),
    )
  }
  const description = `Changes ${to.name} of ${table.name} from ${from.type} to ${to.type}.`
  const tableLock = `Locks ${table.name} against reads and writes while every row is rewritten: ${REWRITE_DURATION}.`
  if (isWider) change.expand.start.push({ sql: alterWith(conversion(name)), description, tableLock })
  else replaceColumn(change, table, { from, to }, { description, tableLock, conversion })
}

/** Adds a column with values that the user's expression makes of the old ones, which stay until the contract phase. */
function replaceColumn(
  change: SchemaChange,
  table: Table,
  { from, to }: { readonly from: Column; readonly to: Column },
  {
    description,
    tableLock,
    conversion,
  }: {
    readonly description: string
    readonly tableLock: string
    readonly conversion: (name: string) => string
  },
): void {
  const label = columnLabel(table, to)
  const [name, former] = [identifier(to.name), identifier(formerName(table, to))]
  const alter = `ALTER TABLE ${identifier(table.name)}`
  change.compatible = false
  change.expressions.push({ attribute: label, converts: true })
  if (!holdsAll(from, to))
    change.removedValues.push(`${label} (values of type ${from.type} that ${to.type} cannot hold)`)
  const isRequired = from.nullable !== true && to.nullable !== true
  change.expand.start.push(
    {
      sql: `${alter} RENAME COLUMN ${name} TO ${former};\n${alter} ADD COLUMN ${name} ${to.type};`,
      description: `${description} The old values stay in ${formerName(table, to)}. The previous code cannot work with the new type.`,
      tableLock,
    },
    {
      sql: `${comment(`Check the conversion: it is an expression over the columns of the row, and the old value is in ${former}.`)}
${keepTimestamps(table)}UPDATE ${identifier(table.name)} SET ${name} = ${conversion(former)};`,
    },
    ...(isRequired
      ? [guardNotNull(table.name, to.name), { sql: `${alter} ALTER COLUMN ${name} SET NOT NULL;` }]
      : []),
    ...(from.nullable === true ? [] : [{ sql: `${alter} ALTER COLUMN ${former} DROP NOT NULL;` }]),
  )
}

/** Drops the column that a new one of another type has replaced. */
export function dropRetypedColumn(
  change: SchemaChange,
  table: Table,
  { from, to }: { readonly from: Column; readonly to: Column },
): void {
  const former = formerName(table, to)
  change.contract.start.push({
    sql: `ALTER TABLE ${identifier(table.name)} DROP COLUMN ${identifier(former)};`,
    description: `Drops ${former} of ${table.name}.`,
    ...(holdsAll(from, to)
      ? {}
      : { dataLossNote: `Loses the values of ${to.name} that ${to.type} cannot hold.` }),
  })
}

/** What a column is called after one of another type has taken its name. */
function formerName(table: Table, { name }: Column): string {
  return constraintName(table.name, [name], 'before')
}

/** Whether the conversion of the migration keeps every value. */
function holdsAll(from: Column, to: Column): boolean {
  return to.type === 'text' || (from.type === 'date' && to.type === 'timestamptz')
}

const INTEGERS: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint'])
const NUMBERS = ['smallint', 'integer', 'bigint', 'real', 'double precision']

/** Whether every value of a type is one of the other, and the previous code can read it. */
export function isWidening(from: string, to: string): boolean {
  const scale = scaleOf(to)
  if (scale !== undefined) return (scaleOf(from) ?? (INTEGERS.has(from) ? 0 : Infinity)) <= scale
  if (to === 'real') return from === 'smallint'
  return NUMBERS.includes(from) && NUMBERS.indexOf(to) > NUMBERS.indexOf(from)
}

function isNumber({ type }: Column): boolean {
  return NUMBERS.includes(type) || scaleOf(type) !== undefined
}

/** The digits after the point of a `numeric` column. */
function scaleOf(type: string): number | undefined {
  const [, scale] = /^numeric\(\d+,(\d+)\)$/.exec(type) ?? []
  return scale === undefined ? undefined : Number(scale)
}
