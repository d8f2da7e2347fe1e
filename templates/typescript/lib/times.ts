import { z } from 'zod'

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/i

/** A time as `HH:MM:SS[.ffffff]`. Trailing zeros of the fraction are removed. */
export const time = z
  .string('must be a time')
  .regex(TIME, 'must be a valid time in the format HH:MM:SS or HH:MM:SS.ffffff')
  .overwrite((value) => value.slice(0, 8) + value.slice(8).replace(/\.?0+$/, ''))

/** A date and time with an offset (RFC 3339), converted to UTC. Microseconds are kept. */
export const datetime = z
  .string('must be a date and time')
  .transform(toUtc)
  // Years outside of 0000 to 9999 begin with a sign, which comes before digits.
  .refine((at) => at >= '0001', 'must be a date and time with an offset (RFC 3339) in the years 0001 to 9999')

function toUtc(value: string): string {
  try {
    return DATETIME.test(value) ? Temporal.Instant.from(value).toString() : ''
  } catch {
    return ''
  }
}
