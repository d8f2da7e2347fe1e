import { assertNever } from '../../../src/model/platform.ts'
import type { AttributeType, EnumType, NumberType } from './walk-definition.ts'

/** The time of a migration, until it is read from the database. */
export const NOW = 'now'

/** The SQL type of an attribute's column. */
export function sqlType(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'boolean'
    case 'string':
    case 'enum':
      return 'text'
    case 'int':
      return type.precision <= 2 ? 'smallint' : type.precision <= 4 ? 'integer' : 'bigint'
    case 'float':
      return type.precision <= 4 ? 'real' : 'double precision'
    case 'decimal':
      return `numeric(38,${type.scale})`
    case 'datetime':
      return 'timestamptz'
    case 'data':
      return 'bytea'
    case 'other':
    case 'sibling':
      return 'uuid'
    case 'date':
    case 'time':
      return type.kind
    default:
      return assertNever(type)
  }
}

/** Some values that the type allows, as Postgres prints them. None for references to structs. */
export function valuesOf(type: AttributeType): string[] {
  const digits = Array.from({ length: 9 }, (_, index) => index + 1)
  switch (type.kind) {
    case 'bool':
      return ['true', 'false']
    case 'string': {
      const { min, max = min + 4 } = type
      const lengths = [...new Set([min, max, Math.min(min + 1, max)])]
      return lengths.flatMap((length) =>
        length === 0 ? [''] : digits.map((digit) => String(digit).padStart(length, '0')),
      )
    }
    case 'int':
    case 'float': {
      const [low, high] = rangeOf(type)
      const step = type.kind === 'int' ? 1 : 0.5
      return [low, high, low + step, high - step, 0, 1, 2, 3, 300, 70_000]
        .filter(
          (value) => low <= value && value <= high && (type.kind === 'int' || Math.fround(value) === value),
        )
        .map(String)
    }
    case 'decimal': {
      const { scale, min = -1000, max = min + 2000 } = type
      const step = scale === 0 ? 1 : 0.5
      return [min, max, min + step, max - step, 0, 1, 2, 3, 300]
        .filter((value) => min <= value && value <= max)
        .map(String)
    }
    case 'date':
      return digits.map((digit) => `2020-01-0${digit}`)
    case 'time':
      return digits.map((digit) => `10:00:0${digit}`)
    case 'datetime':
      return digits.map((digit) => `2020-01-01 00:00:0${digit}+00`)
    case 'data':
      return [...new Set([1, type.max ?? 2])].flatMap((size) =>
        digits.map((digit) => `\\x${`0${digit}`.repeat(size)}`),
      )
    case 'enum':
      return [...type.values]
    case 'other':
      return digits.map((digit) => `aaaaaaaa-0000-7000-8000-00000000000${digit}`)
    case 'sibling':
      return []
    default:
      return assertNever(type)
  }
}

function rangeOf({ kind, precision, min, max }: NumberType): [low: number, high: number] {
  const limit = kind === 'int' ? Math.min(2 ** (8 * precision - 1), 1e12) : 10_000
  return [min ?? Math.min(-limit, max ?? 0), max ?? Math.max(limit - 1, min ?? 0)]
}

/** Whether a value keeps the bounds of a type. */
export function allows(type: AttributeType, value: string): boolean {
  const isWithin = (size: number, min?: number, max?: number): boolean =>
    size >= (min ?? -Infinity) && size <= (max ?? Infinity)
  switch (type.kind) {
    case 'string':
      return isWithin(value.length, type.min, type.max)
    case 'data':
      return isWithin((value.length - 2) / 2, 0, type.max)
    case 'enum':
      return type.values.includes(value)
    case 'int': {
      const limit = 2 ** (8 * type.precision - 1)
      return isWithin(Number(value), type.min ?? -limit, type.max ?? limit - 1)
    }
    case 'float':
    case 'decimal':
      return isWithin(Number(value), type.min, type.max)
    case 'bool':
    case 'date':
    case 'time':
    case 'datetime':
    case 'other':
    case 'sibling':
      return true
    default:
      return assertNever(type)
  }
}

/** What the conversion that a migration proposes makes of a value; `undefined` if somebody has to write another. */
export function converted(value: string, from: AttributeType, to: AttributeType): string | undefined {
  const column = sqlType(to)
  if (from.kind === 'enum' && to.kind === 'enum') return renamedValue(value, from, to)
  if (sqlType(from) === column) return value
  if (from.kind === 'decimal' && column === 'text') return Number(value).toFixed(from.scale)
  const isShort = !['int', 'float'].includes(from.kind) || Math.abs(Number(value)) < 100_000
  if (column === 'text') return isShort || from.kind === 'int' ? value : undefined
  if (to.kind !== 'int' && to.kind !== 'float' && to.kind !== 'decimal') return undefined
  const isNumber = ['int', 'float', 'decimal'].includes(from.kind)
  if (from.kind === 'string' ? !/^\d{1,6}$/.test(value) : !isNumber) return undefined
  const number = Number(value)
  // An integer as text has a point.
  if (from.kind === 'decimal' && to.kind === 'int' && from.scale > 0) return undefined
  if (to.kind === 'decimal') {
    const isExact = Number.isInteger(number) || (to.scale > 0 && Number.isInteger(number * 2))
    return isExact && Math.abs(number) <= 1e12 ? String(number) : undefined
  }
  if (to.kind === 'float')
    return Math.fround(number) === number || column !== 'real' ? String(number) : undefined
  if (!isShort && from.kind === 'float') return undefined
  const fits =
    Number.isInteger(number) && Math.abs(number) < 2 ** ({ smallint: 15, integer: 31 }[column] ?? 63)
  return fits ? String(number) : undefined
}

/** What a value of an `enum` is called after a change that may rename it, once more or back. */
function renamedValue(value: string, from: EnumType, to: EnumType): string {
  if (to.values.includes(value)) return value
  const first = from.was.get(value) ?? value
  const isSame = (each: string): boolean =>
    !from.values.includes(each) && (to.was.get(each) ?? each) === first
  return to.values.find(isSame) ?? value
}

/** A value as Postgres prints it, in the form of `valuesOf`. */
export function canonical(value: string | null, type: string): string | null {
  return value !== null && /^(?:real|double precision|integer|bigint|smallint|numeric.*)$/.test(type)
    ? String(Number(value))
    : value
}
