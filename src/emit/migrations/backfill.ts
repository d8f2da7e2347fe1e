import { DECIMAL_DIGITS } from '../../limits.ts'
import { compareDecimals, decimalText, decimalUnits } from '../../model/decimals.ts'
import { counted } from '../../naming.ts'
import { literal } from '../database/identifiers.ts'
import type { Column } from '../database/table.ts'

/** The least and the greatest number, length or size, as decimal numbers. */
type Bounds = readonly [min?: string | undefined, max?: string | undefined]

/** The SQL of a value, or why the answer is not a value of the column: `` `beds` must be an integer from 1 to 9 ``. */
type BackfillResult = { readonly sql: string } | { readonly problem: string }

/** What the rows that exist can get as the value of a new column. */
interface Values {
  /** `an integer from 1 to 9` */
  readonly expected: string
  /** Returns the SQL of an answer; `undefined` if it is not such a value. */
  readonly toSql: (answer: string) => string | undefined
}

type Integer = 'smallint' | 'integer' | 'bigint'

/** What the column's type and the API allow: JSON represents larger integers inexactly. */
const INTEGERS: Readonly<Record<Integer, readonly [min: bigint, max: bigint]>> = {
  smallint: [-32_768n, 32_767n],
  integer: [-2_147_483_648n, 2_147_483_647n],
  bigint: [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)],
}
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i
const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/
const DATETIME =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[-+](?:[01]\d|2[0-3]):[0-5]\d)$/i
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Turns what a user wrote for the rows that exist into SQL, if the API and the database allow that value. */
export function backfillSql(column: Column, answer: string): BackfillResult {
  const { expected, toSql } = valuesOf(column)
  const sql = toSql(answer)
  return sql === undefined
    ? { problem: `\`${column.attribute ?? column.name}\` must be ${expected}` }
    : { sql }
}

/** The values that `backfillSql` takes, in words: `a string of 1 to 80 characters`. */
export function expectedBackfill(column: Column): string {
  return valuesOf(column).expected
}

function valuesOf({ type, check }: Column): Values {
  if (check?.kind === 'enum')
    return matching(`one of ${check.values.join(', ')}`, (text) => check.values.includes(text))
  const bounds: Bounds =
    check !== undefined && ('min' in check || 'max' in check) ? [check.min, check.max] : []
  switch (type) {
    case 'boolean':
      return matching(
        '`true` or `false`',
        (text) => text === 'true' || text === 'false',
        (text) => text,
      )
    case 'text':
      return texts(bounds)
    case 'smallint':
    case 'integer':
    case 'bigint':
      return integers(type, bounds)
    case 'real':
      return numbers(bounds, Math.fround)
    case 'double precision':
      return numbers(bounds, (value) => value)
    case 'date':
      return matching('a date as YYYY-MM-DD', (text) => DATE.test(text) && isDay(text))
    case 'time':
      return matching('a time as HH:MM:SS', (text) => TIME.test(text))
    case 'timestamptz':
      return matching('a date and time with an offset, such as 2026-01-31T12:00:00Z', isDatetime)
    case 'uuid':
      return matching('a UUID', (text) => UUID.test(text))
    default:
      if (type.startsWith('numeric')) return decimals(type, bounds)
      return {
        expected: 'written in a migration: one value cannot be right for all rows',
        toSql: () => undefined,
      }
  }
}

function matching(expected: string, isValue: (text: string) => boolean, toSql = literal): Values {
  return {
    expected,
    toSql: (answer) => {
      const text = answer.trim()
      return isValue(text) ? toSql(text) : undefined
    },
  }
}

function texts(bounds: Bounds): Values {
  const range = bounds[0] === bounds[1] ? (bounds[0] ?? '') : rangeText(bounds)
  const unit = Number(bounds[1] ?? bounds[0]) === 1 ? 'character' : 'characters'
  return {
    expected: range === '' ? 'a string' : `a string of ${range} ${unit}`,
    toSql: (text) => {
      const isStorable = text.isWellFormed() && !text.includes('\0')
      return isStorable && isWithin(Array.from(text).length, bounds) ? literal(text) : undefined
    },
  }
}

function integers(type: Integer, [min, max]: Bounds): Values {
  const [typeMin, typeMax] = INTEGERS[type]
  const from = min === undefined || BigInt(min) < typeMin ? typeMin : BigInt(min)
  const to = max === undefined || BigInt(max) > typeMax ? typeMax : BigInt(max)
  return matching(
    `an integer from ${from} to ${to}`,
    (text) => /^-?\d+$/.test(text) && BigInt(text) >= from && BigInt(text) <= to,
    (text) => String(BigInt(text)),
  )
}

function numbers(bounds: Bounds, round: (value: number) => number): Values {
  const range = rangeText(bounds)
  // Without the sign of -0, as in requests.
  const valueOf = (text: string): number => round(Number(text)) + 0
  return matching(
    range === '' ? 'a number' : `a number, ${range}`,
    (text) => NUMBER.test(text) && Number.isFinite(valueOf(text)) && isWithin(valueOf(text), bounds),
    (text) => String(valueOf(text)),
  )
}

function decimals(type: string, [min, max]: Bounds): Values {
  const scale = Number(/\d+(?=\))/.exec(type)?.[0])
  const whole = DECIMAL_DIGITS - scale
  const form = new RegExp(`^-?\\d{1,${whole}}${scale === 0 ? '' : `(?:\\.\\d{1,${scale}})?`}$`)
  const range = rangeText([min, max])
  return matching(
    `a decimal number with at most ${counted(scale, 'digit')} after the point${range === '' ? '' : `, ${range}`}`,
    (text) =>
      form.test(text) &&
      (min === undefined || compareDecimals(text, min) >= 0) &&
      (max === undefined || compareDecimals(text, max) <= 0),
    (text) => decimalText(decimalUnits(text, scale), scale),
  )
}

function rangeText([min, max]: Bounds): string {
  if (max === undefined) return min === undefined ? '' : `at least ${min}`
  return min === undefined ? `at most ${max}` : `${min} to ${max}`
}

function isWithin(value: number, [min, max]: Bounds): boolean {
  return (min === undefined || value >= Number(min)) && (max === undefined || value <= Number(max))
}

function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`)
  return date >= '0001' && !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

/** Whether it is an RFC 3339 date and time in the years 0001 to 9999 of UTC. */
function isDatetime(text: string): boolean {
  const [, date = ''] = DATETIME.exec(text) ?? []
  if (!isDay(date)) return false
  const utc = new Date(text.toUpperCase()).toISOString()
  return utc >= '0001'
}
