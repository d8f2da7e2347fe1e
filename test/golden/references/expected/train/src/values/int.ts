import { invalidParameter } from '../errors.ts'
import { JsonNumber, type JsonObject } from '../json.ts'

/** An integer from `min` to `max`, taken from the text of the number: `3.0` and `3e0` are 3. */
export function readInt(body: JsonObject, name: string, min: number, max: number): number {
  const value = body.get(name)
  const integer = value instanceof JsonNumber ? exactInteger(value.text) : undefined
  if (integer === undefined) throw invalidParameter(name, 'must be an integer')
  if (integer < min || integer > max) {
    throw invalidParameter(name, `must be an integer from ${min} to ${max}`)
  }
  return integer
}

const PARTS = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/
const ZERO = 0x30
const MAX_SAFE_DIGITS = 16

/** The integer that the text denotes; infinite where that lies beyond 2^53-1, `undefined` where it is none. */
function exactInteger(text: string): number | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? []
  if (fraction === '' && exponent === '0') return safe(Number(text))

  const digits = whole + fraction
  let start = 0
  while (start < digits.length && digits.charCodeAt(start) === ZERO) start++
  if (start === digits.length) return 0
  let end = digits.length
  while (digits.charCodeAt(end - 1) === ZERO) end--
  const zeros = Number(exponent) - fraction.length + (digits.length - end)
  if (zeros < 0) return undefined
  if (end - start + zeros > MAX_SAFE_DIGITS) return safe(sign === '' ? Infinity : -Infinity)
  return safe(Number(sign + digits.slice(start, end) + '0'.repeat(zeros)))
}

/** Numbers beyond 2^53-1 are refused rather than rounded; `-0` becomes `0`. */
function safe(integer: number): number {
  if (Number.isSafeInteger(integer)) return integer + 0
  return integer > 0 ? Infinity : -Infinity
}
