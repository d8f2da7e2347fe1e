import { columnName } from '../../naming.ts'
import { identifier, literal } from '../database/identifiers.ts'
import type { Column, Table } from '../database/table.ts'
import type { MigrationStep } from './change.ts'
import { updateRows } from './rows.ts'

/**
 * Sets `was` of each column to the one that holds its values before a change, and removes it from others. That is the
 * column that `@was` names, or for an `enum`, whose renamed values have a column of their own, that of its attribute.
 */
export function withFormerColumns(table: Table, { columns: before }: Table): Table {
  const names = new Set(table.columns.map(({ name }) => name))
  const gone = before.filter(({ name }) => !names.has(name))
  const columns = table.columns.map((column) => {
    const { was, ...rest } = column
    const isSameEnum = (each: Column): boolean =>
      isEnum(each) && columnName(each.attribute ?? '') === (was ?? column.name)
    const former = gone.find(({ name }) => name === was) ?? gone.find(isSameEnum)
    return former === undefined ? rest : { ...rest, was: former.name }
  })
  return { ...table, columns }
}

/** How the values of an `enum` are called before and after a change. */
export class ValueNames {
  readonly #column: Column
  readonly #renamed: readonly (readonly [value: string, former: string])[]

  constructor(from: Column, to: Column) {
    this.#column = to
    this.#renamed = valuesOf(to).flatMap((value) => {
      const former = formerValue(value, from, to)
      return former === undefined || former === value ? [] : [[value, former] as const]
    })
  }

  /** Whether no value was renamed. */
  get isSame(): boolean {
    return this.#renamed.length === 0
  }

  /** What the values were called, in alphabetical order. */
  get former(): string[] {
    return valuesOf(this.#column)
      .map((value) => this.#renamed.find(([name]) => name === value)?.[1] ?? value)
      .toSorted()
  }

  /** Renames the values in the rows of a table; nothing if none was renamed. */
  update(table: Table): MigrationStep[] {
    const column = identifier(this.#column.name)
    return this.isSame ? [] : [{ sql: updateRows(table, `${column} = ${this.sqlAfter(column)}`) }]
  }

  /** An SQL expression for the value that the value of an expression was. */
  sqlBefore(expression: string): string {
    return this.#translation(expression, this.#renamed)
  }

  /** An SQL expression for what the value of an expression is called now. */
  sqlAfter(expression: string): string {
    return this.#translation(
      expression,
      this.#renamed.map(([value, former]) => [former, value]),
    )
  }

  #translation(expression: string, pairs: readonly (readonly [from: string, to: string])[]): string {
    if (pairs.length === 0) return expression
    const cases = pairs.map(([from, to]) => ` WHEN ${literal(from)} THEN ${literal(to)}`).join('')
    return `CASE ${expression}${cases} ELSE ${expression} END`
  }
}

/** The value of a column before a change that is the same as one after it; `undefined` if that one is new. */
function formerValue(value: string, from: Column, to: Column): string | undefined {
  const values = valuesOf(from)
  if (values.includes(value)) return value
  const origin = formerNames(to).get(value)
  if (origin !== undefined && values.includes(origin)) return origin
  // Renamed once more, or back: `@was` keeps the first name.
  const before = formerNames(from)
  const kept = new Set(valuesOf(to))
  return values.find((each) => !kept.has(each) && before.has(each) && before.get(each) === (origin ?? value))
}

function formerNames({ formerValues }: Column): ReadonlyMap<string, string> {
  return new Map(formerValues)
}

/** The values of an `enum`. */
function valuesOf({ check }: Column): readonly string[] {
  return check?.kind === 'enum' ? check.values : []
}

/** Whether a column is an `enum`. */
function isEnum({ check }: Column): boolean {
  return check?.kind === 'enum'
}
