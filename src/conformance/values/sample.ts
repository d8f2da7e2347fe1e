import { randomBytes, randomInt } from 'node:crypto'
import { type AttributeType, assertNever, type FloatType } from '../../model/platform.ts'
import { plain, type Value } from './value.ts'

/** An attribute type that needs no other entity. */
export type OwnType = Exclude<AttributeType, { kind: 'reference' } | { kind: 'sibling' }>

/** Letters for strings: ASCII, so that a sample reads well in a report. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** The longest random string and data, in code points and bytes; enough for 10^33 different ones. */
const RANDOM_LENGTH = 24

/** Ranges up to this size are enumerated, so that every value of a small `@unique` one gets its turn. */
export const SMALL_RANGE = 4096

/** How far modest numbers lie above their least value. */
const MODEST = 100

/** How many values a type has, `Infinity` where there are more than `SMALL_RANGE`. */
export function sizeOf(type: OwnType): number {
  switch (type.kind) {
    case 'bool':
      return 2
    case 'int': {
      const size = BigInt(type.jsonMax) - BigInt(type.jsonMin) + 1n
      return size <= BigInt(SMALL_RANGE) ? Number(size) : Number.POSITIVE_INFINITY
    }
    case 'float':
      return type.min !== undefined && type.min === type.max ? 1 : Number.POSITIVE_INFINITY
    case 'string':
      return type.maxLength === 0 ? 1 : type.maxLength === 1 ? LETTERS.length : Number.POSITIVE_INFINITY
    case 'data':
      return type.maxSize === 0 ? 1 : type.maxSize === 1 ? 256 : Number.POSITIVE_INFINITY
    case 'date':
    case 'time':
    case 'datetime':
      return Number.POSITIVE_INFINITY
    default:
      return assertNever(type)
  }
}

/** The `index`th value, from 0, of a type whose size is finite. */
export function nthValue(type: OwnType, index: number): Value {
  if (type.kind === 'bool') return plain(index === 1)
  if (type.kind === 'int') return plain(type.jsonMin + index)
  if (type.kind === 'string') return plain(type.maxLength === 0 ? '' : (LETTERS[index] ?? 'a'))
  if (type.kind === 'data') return plain(type.maxSize === 0 ? '' : Buffer.of(index).toString('base64'))
  if (type.kind === 'float') return plain(type.min ?? 0)
  return assertNever(type as never)
}

/** Any value that the type takes, drawn so that two of a large range are different. */
export function randomValue(type: OwnType): Value {
  switch (type.kind) {
    case 'bool':
      return plain(randomInt(2) === 1)
    case 'string':
      return plain(randomText(textLength(type.minLength, type.maxLength)))
    case 'int':
      return plain(randomInteger(type.jsonMin, type.jsonMax))
    case 'float':
      return randomFloat(type)
    case 'date':
      return plain(randomDate())
    case 'time':
      return plain(randomTime())
    case 'datetime':
      return plain(`${randomDate()}T${randomTime()}Z`)
    case 'data':
      return plain(randomBytes(Math.min(type.maxSize ?? RANDOM_LENGTH, RANDOM_LENGTH)).toString('base64'))
    default:
      return assertNever(type)
  }
}

/** Any value that the type takes, small where numbers may be large: hooks of a user rarely refuse those. */
export function modestValue(type: OwnType): Value {
  if (type.kind === 'int') {
    const low = Math.max(type.jsonMin, Math.min(1, type.jsonMax))
    return plain(randomInteger(low, Math.min(type.jsonMax, low + MODEST)))
  }
  if (type.kind !== 'float') return randomValue(type)
  const low = Math.max(type.min ?? 0, Math.min(0, type.max ?? 0))
  return randomFloat({ ...type, min: low, max: Math.min(type.max ?? low + MODEST, low + MODEST) })
}

function textLength(min: number, max: number | undefined): number {
  return Math.max(min, Math.min(max ?? RANDOM_LENGTH, RANDOM_LENGTH))
}

/** Random letters at the front, the same letter behind: a long required minimum costs no randomness. */
function randomText(length: number): string {
  let text = ''
  for (let index = 0; index < Math.min(length, RANDOM_LENGTH); index++)
    text += LETTERS[randomInt(LETTERS.length)] ?? 'a'
  return text.padEnd(length, 'x')
}

function randomInteger(min: number, max: number): number {
  const span = BigInt(max) - BigInt(min) + 1n
  return Number(BigInt(min) + (randomBytes(8).readBigUInt64BE() % span))
}

function randomFloat({ min, max, column }: FloatType): Value {
  const low = min ?? Math.min(-1e6, (max ?? 0) - 1e6)
  const high = max ?? Math.max(1e6, low + 1e6)
  const fraction = randomInt(2 ** 47) / 2 ** 47
  // Weighted ends instead of low + fraction * (high - low): the difference of two finite bounds may not be finite.
  const drawn = low * (1 - fraction) + high * fraction
  const rounded = column === 'real' ? Math.fround(drawn) : drawn
  return plain(Math.min(max ?? rounded, Math.max(min ?? rounded, rounded)) || 0)
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

function randomDate(): string {
  return `${digits(randomInt(1000, 9000), 4)}-${digits(randomInt(1, 13), 2)}-${digits(randomInt(1, 29), 2)}`
}

/** With a fraction of six digits, of which answers drop no zero: the last is never one. */
function randomTime(): string {
  const clock = [randomInt(24), randomInt(60), randomInt(60)].map((value) => digits(value, 2)).join(':')
  return `${clock}.${String(randomInt(100_000)).padStart(5, '0')}${randomInt(1, 10)}`
}
