import { invalidParameter } from '../errors.ts'
import { JsonNumber, type JsonObject } from '../json.ts'

/** A finite double from `min` to `max`. */
export function readDouble(body: JsonObject, name: string, min = -Infinity, max = Infinity): number {
  return bounded(name, numberOf(body, name), min, max)
}

/** A number rounded to single precision, then compared with `min` and `max`. */
export function readReal(body: JsonObject, name: string, min = -Infinity, max = Infinity): number {
  return bounded(name, Math.fround(numberOf(body, name)), min, max)
}

function numberOf(body: JsonObject, name: string): number {
  const value = body.get(name)
  if (!(value instanceof JsonNumber)) throw invalidParameter(name, 'must be a number')
  return Number(value.text)
}

function bounded(name: string, value: number, min: number, max: number): number {
  if (!Number.isFinite(value)) throw invalidParameter(name, 'is too large')
  if (value < min) throw invalidParameter(name, `must be at least ${min}`)
  if (value > max) throw invalidParameter(name, `must be at most ${max}`)
  // -0 becomes 0.
  return value + 0
}
