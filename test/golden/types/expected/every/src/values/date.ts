import { invalidParameter } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { isCalendarDate } from './calendar.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** `YYYY-MM-DD`, 0001-01-01 to 9999-12-31. */
export function readDate(body: JsonObject, name: string): string {
  const value = body.get(name)
  const parts = typeof value === 'string' ? DATE.exec(value) : null
  if (parts === null) throw invalidParameter(name, 'must be a date as YYYY-MM-DD')
  const [text, year, month, day] = parts
  if (!isCalendarDate(Number(year), Number(month), Number(day))) {
    throw invalidParameter(name, 'must be a date from 0001-01-01 to 9999-12-31')
  }
  return text
}
