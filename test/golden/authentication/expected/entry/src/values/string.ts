import { invalidParameter } from '../errors.ts'
import type { JsonObject } from '../json.ts'

/** Text of `minLength` to `maxLength` Unicode code points without U+0000 and unpaired surrogates. */
export function readString(body: JsonObject, name: string, minLength = 0, maxLength = Infinity): string {
  const value = body.get(name)
  if (typeof value !== 'string') throw invalidParameter(name, 'must be a string')
  if (value.includes('\0')) throw invalidParameter(name, 'must not contain U+0000')
  if (!value.isWellFormed()) throw invalidParameter(name, 'must not contain unpaired surrogates')
  // A code point takes one or two code units, so that most lengths need no count.
  const counts = value.length > maxLength || value.length < minLength * 2
  const length = counts ? countCodePoints(value) : value.length
  if (counts && length > maxLength) throw invalidParameter(name, `must have at most ${characters(maxLength)}`)
  if (counts && length < minLength)
    throw invalidParameter(name, `must have at least ${characters(minLength)}`)
  return value
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`
}

function countCodePoints(value: string): number {
  let count = value.length
  for (let at = 0; at < value.length; at++) {
    if ((value.charCodeAt(at) & 0xfc00) === 0xdc00) count--
  }
  return count
}
