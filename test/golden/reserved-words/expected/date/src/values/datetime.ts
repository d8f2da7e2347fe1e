import { invalidParameter } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { canonicalFraction, isCalendarDate, isClockTime } from './calendar.ts'

const DATETIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,6})?(?:Z|([+-])(\d{2}):(\d{2}))$/i
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59Z')

/**
 * A date and time with an offset (RFC 3339), given in UTC with `Z`: years 0001 to 9999 in UTC, no leap seconds,
 * at most six fraction digits, of which trailing zeros are dropped.
 */
export function readDatetime(body: JsonObject, name: string): string {
  const value = body.get(name)
  const parts = typeof value === 'string' ? DATETIME.exec(value) : null
  if (parts === null) throw invalidParameter(name, 'must be a date and time with an offset (RFC 3339)')
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHours, offsetMinutes] = parts
  const valid =
    isCalendarDate(Number(year) || 4, Number(month), Number(day)) &&
    isClockTime(Number(hour), Number(minute), Number(second)) &&
    isClockTime(Number(offsetHours ?? 0), Number(offsetMinutes ?? 0), 0)
  // Only whole seconds go through a Date, which would cut microseconds.
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000
  const utc = sign === '-' ? local + offset : local - offset
  if (!valid || !(utc >= FIRST && utc <= LAST)) {
    throw invalidParameter(name, 'must be a date and time in the years 0001 to 9999')
  }
  return `${new Date(utc).toISOString().slice(0, 19)}${canonicalFraction(fraction)}Z`
}
