import { Refusal } from './serve.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DATE = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/i

/** Refuses a body in which one of these is missing, and names all that are. */
export function requireAll(body: Record<string, unknown>, names: readonly string[]): void {
  const missing = names.filter((name) => !Object.hasOwn(body, name) || body[name] === null)
  if (missing.length > 0) throw new Refusal(400, `Missing request parameter(s): ${missing.join(', ')}`)
}

function invalid(name: string, why: string): Refusal {
  return new Refusal(400, `Invalid request parameter ${name}: ${why}`)
}

/** Text of so many code points, without what Postgres or UTF-8 cannot hold. */
export function text(name: string, value: unknown, min: number, max: number): string {
  if (typeof value !== 'string') throw invalid(name, 'not a string')
  if (value.includes('\0') || !value.isWellFormed()) throw invalid(name, 'not Unicode text')
  let length = 0
  for (const _ of value) length++
  if (length < min || length > max) throw invalid(name, `not ${min} to ${max} characters`)
  return value
}

/** A whole number within bounds. */
export function integer(name: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw invalid(name, 'not an integer')
  if (value < min || value > max) throw invalid(name, `not within ${min} to ${max}`)
  return value
}

/** A number from `min`. */
export function float(name: string, value: unknown, min: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid(name, 'not a number')
  if (value < min) throw invalid(name, `below ${min}`)
  return value
}

/** A truth value. */
export function bool(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalid(name, 'not true or false')
  return value
}

/** A day of the calendar. */
export function date(name: string, value: unknown): string {
  if (typeof value !== 'string' || !DATE.test(value)) throw invalid(name, 'not a date')
  const day = new Date(`${value}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== value)
    throw invalid(name, 'no such day')
  return value
}

/** A point in time (RFC 3339). */
export function instant(name: string, value: unknown): string {
  if (typeof value !== 'string' || !INSTANT.test(value)) throw invalid(name, 'not a date and time')
  date(name, value.slice(0, 10))
  if (Number.isNaN(Date.parse(value))) throw invalid(name, 'no such time')
  return value
}

/** A UUID, in lower case. */
export function uuid(name: string, value: unknown): string {
  if (typeof value !== 'string' || !UUID.test(value)) throw invalid(name, 'not a UUID')
  return value.toLowerCase()
}

/** The id of a path. */
export function pathId(value: string): string {
  if (!UUID.test(value)) throw new Refusal(400, 'Invalid id: not a UUID')
  return value.toLowerCase()
}
