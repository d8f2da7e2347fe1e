import { comment, constraintName, identifier } from '../database/identifiers.ts'
import type { Constraint, Index, Table } from '../database/table.ts'
import {
  alterTable,
  type Change,
  columnLabel,
  type ColumnPair,
  describeRelaxed,
  dropConstraintOf,
  lockOf,
  type MigrationStep,
  REWRITE_DURATION,
  type TablePair,
} from './change.ts'
import { guardConversion, guardNotNull, guardValidity } from './guards.ts'
import { columnsOf, hasIndex } from './indexes.ts'
import { updateRows } from './rows.ts'

/** Changes the types of columns. A constraint or index of several columns is dropped with the first that has to. */
export function retypeColumns({ before, after: table }: TablePair, retyped: readonly ColumnPair[]): Change[] {
  const dropped = new Set<string>()
  const notYetDropped = <Item extends Constraint | Index>(items: readonly Item[]): Item[] => {
    const remaining = items.filter(({ name }) => !dropped.has(name))
    for (const { name } of remaining) dropped.add(name)
    return remaining
  }
  const kept = new Set([...table.foreignKeys, ...table.constraints].map((each) => each.name))
  return retyped.map((pair) => {
    const { name } = pair.column
    const isWider = isWidening(pair.from.type, pair.column.type)
    const constraints = [...before.foreignKeys, ...before.constraints].filter((each) =>
      each.columns.includes(name),
    )
    // Only text has the collation of an index.
    const indexes = before.indexes.filter(
      (index) => columnsOf(index).includes(name) && !(isWider && hasIndex(table, index)),
    )
    const drops: MigrationStep[] = [
      ...notYetDropped(constraints).map((each) => {
        // The old bounds say nothing about the new type.
        const isSilent = each.kind === 'check' || kept.has(each.name)
        return dropConstraintOf(table, each, isSilent ? undefined : describeRelaxed(table, each))
      }),
      ...notYetDropped(indexes).map((each) => ({ sql: `DROP INDEX ${identifier(each.name)};` })),
    ]
    return { slug: `change_${name}_of_${table.name}`, ...retypeColumn(table, pair, drops) }
  })
}

/** Changes the type in place if it is a wider one, else adds a column with the new type. */
function retypeColumn(table: Table, pair: ColumnPair, drops: readonly MigrationStep[]): Change {
  const { from, column } = pair
  const name = identifier(column.name)
  const description = `Changes ${column.name} of ${table.name} from ${from.type} to ${column.type}.`
  const lock = lockOf(table, 'reads and writes', 'while every row is rewritten', REWRITE_DURATION)
  const alterWith = (value: string): MigrationStep => ({
    ...alterTable(table, `ALTER COLUMN ${name} TYPE ${column.type} USING ${value}`, description),
    lock,
  })
  if (isWidening(from.type, column.type))
    return { expand: { start: [...drops, alterWith(conversion(pair, name))] } }
  // A cast between numbers rounds, which the guard notices. As text, 5.00 is not an integer.
  const areNumbers = isNumber(from.type) && isNumber(column.type)
  const value = areNumbers ? `${name}::${column.type}` : conversion(pair, name)
  const text = areNumbers ? `trunc(${name}::numeric)::text` : `${name}::text`
  const guards = [guardValidity(table.name, column, text), guardConversion(table.name, from, value)]

  const label = columnLabel(table, column)
  const oldName = constraintName(table.name, [column.name], 'before')
  const old = identifier(oldName)
  const rename = alterTable(
    table,
    `RENAME COLUMN ${name} TO ${old}`,
    `${description} The old values stay in ${oldName}. The previous code cannot work with the new type.`,
  )
  const add = alterTable(table, `ADD COLUMN ${name} ${column.type}`)
  const request = `Check the conversion: it is an expression over the columns of the row, and the old value is in ${old}.`
  const require = [
    guardNotNull(table.name, column.name),
    alterTable(table, `ALTER COLUMN ${name} SET NOT NULL`),
  ]
  const drop = alterTable(table, `DROP COLUMN ${old}`, `Drops ${oldName} of ${table.name}.`)
  const isLossless = column.type === 'text' || (from.type === 'date' && column.type === 'timestamptz')
  const loss = { dataLossNote: `Loses the values of ${column.name} that ${column.type} cannot hold.` }
  return {
    // The user's expression makes values of the old ones, which stay until the contract phase.
    expand: {
      start: [
        ...drops,
        { ...rename, sql: `${rename.sql}\n${add.sql}`, lock },
        { sql: `${comment(request)}\n${updateRows(table, `${name} = ${conversion(pair, old)}`)}` },
        ...(from.nullable || column.nullable ? [] : require),
        ...(from.nullable ? [] : [alterTable(table, `ALTER COLUMN ${old} DROP NOT NULL`)]),
      ],
    },
    contract: { drops: [isLossless ? drop : { ...drop, ...loss }] },
    direct: { start: [...drops, ...guards, alterWith(value)] },
    expression: { table, column, converts: true },
    removedValues: isLossless
      ? []
      : [{ attribute: label, values: `values of type ${from.type} that ${column.type} cannot hold` }],
    isBreaking: true,
  }
}

/** As text, because 0.1 of a `real` would become 0.10000000149011612, which clients would see and filters not find. */
function conversion({ from, column: { type } }: ColumnPair, value: string): string {
  const isDirect = type === 'text' || (isWidening(from.type, type) && from.type !== 'real')
  return isDirect ? `${value}::${type}` : `${value}::text::${type}`
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

function isNumber(type: string): boolean {
  return NUMBERS.includes(type) || scaleOf(type) !== undefined
}

/** The digits after the point of a `numeric` column. */
function scaleOf(type: string): number | undefined {
  const [, scale] = /^numeric\(\d+,(\d+)\)$/.exec(type) ?? []
  return scale === undefined ? undefined : Number(scale)
}
