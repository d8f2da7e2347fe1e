import { invalidParameter } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { canonicalFraction, isClockTime } from './calendar.ts'

const TIME = /^(\d{2}):(\d{2}):(\d{2})(\.\d{1,6})?$/

/** `HH:MM:SS[.ffffff]`, at most 23:59:59.999999; trailing zeros of the fraction are dropped. */
export function readTime(body: JsonObject, name: string): string {
  const value = body.get(name)
  const parts = typeof value === 'string' ? TIME.exec(value) : null
  if (parts === null) throw invalidParameter(name, 'must be a time as HH:MM:SS or HH:MM:SS.ffffff')
  const [, hour, minute, second, fraction = ''] = parts
  if (!isClockTime(Number(hour), Number(minute), Number(second))) {
    throw invalidParameter(name, 'must be a time from 00:00:00 to 23:59:59.999999')
  }
  return `${hour}:${minute}:${second}${canonicalFraction(fraction)}`
}
