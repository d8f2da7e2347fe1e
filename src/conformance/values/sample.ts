import { randomBytes, randomInt } from 'node:crypto'
import { type AttributeType, assertNever, type EnumType, type FloatType } from '../../model/platform.ts'
import { decimalLimits, decimalText } from '../../model/decimals.ts'
import { echoedValue, type Value } from './value.ts'

/** An attribute type that does not refer to another entity. */
export type ScalarType = Exclude<AttributeType, { kind: 'reference' } | { kind: 'sibling' }>

/** Letters for strings. ASCII is easy to read in reports. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Maximum length of random strings (code points) and data (bytes), enough for 10^33 values. */
const RANDOM_LENGTH = 24

/** Ranges up to this size are enumerated, so that all values of a small `@unique` range are used. */
const SMALL_RANGE = 4096

/** The range of small numbers, from their minimum. */
const SMALL_SPAN = 100

/** Returns the number of values of a type; `Infinity` if there are more than `SMALL_RANGE`. */
export function valueCount(type: ScalarType): number {
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
    case 'decimal': {
      const [min, max] = decimalLimits(type)
      const size = max - min + 1n
      return size <= BigInt(SMALL_RANGE) ? Number(size) : Number.POSITIVE_INFINITY
    }
    case 'enum':
      return creatableWords(type).length
    case 'date':
    case 'time':
    case 'datetime':
      return Number.POSITIVE_INFINITY
    default:
      return assertNever(type)
  }
}

/** The values of an `enum` that a new entity can have, and that an update can keep. */
export function creatableWords({ values, transitions }: EnumType): readonly string[] {
  return transitions === undefined ? values : [transitions.initial]
}

/** Returns the value at an index, from 0, of a type with a finite number of values. */
export function nthValue(type: ScalarType, index: number): Value {
  if (type.kind === 'bool') return echoedValue(index === 1)
  if (type.kind === 'int') return echoedValue(type.jsonMin + index)
  if (type.kind === 'string') return echoedValue(type.maxLength === 0 ? '' : (LETTERS[index] ?? 'a'))
  if (type.kind === 'data') return echoedValue(type.maxSize === 0 ? '' : Buffer.of(index).toString('base64'))
  if (type.kind === 'decimal')
    return echoedValue(decimalText(decimalLimits(type)[0] + BigInt(index), type.scale))
  if (type.kind === 'enum') return echoedValue(creatableWords(type)[index] ?? type.values[0])
  if (type.kind === 'float') return echoedValue(type.min ?? 0)
  return assertNever(type as never)
}

/** Returns a random value. Two values of a large range differ. */
export function randomValue(type: ScalarType): Value {
  switch (type.kind) {
    case 'bool':
      return echoedValue(randomInt(2) === 1)
    case 'string':
      return echoedValue(randomText(textLength(type.minLength, type.maxLength)))
    case 'int':
      return echoedValue(randomInteger(type.jsonMin, type.jsonMax))
    case 'float':
      return randomFloat(type)
    case 'enum': {
      const words = creatableWords(type)
      return echoedValue(words[randomInt(words.length)] ?? type.values[0])
    }
    case 'decimal':
      return echoedValue(decimalText(randomBetween(...decimalLimits(type)), type.scale))
    case 'date':
      return echoedValue(randomDate())
    case 'time':
      return echoedValue(randomTime())
    case 'datetime':
      return echoedValue(`${randomDate()}T${randomTime()}Z`)
    case 'data':
      return echoedValue(
        randomBytes(Math.min(type.maxSize ?? RANDOM_LENGTH, RANDOM_LENGTH)).toString('base64'),
      )
    default:
      return assertNever(type)
  }
}

/** Returns a random value with small numbers, which users' hooks rarely reject. */
export function smallValue(type: ScalarType): Value {
  if (type.kind === 'int') {
    const low = Math.max(type.jsonMin, Math.min(1, type.jsonMax))
    return echoedValue(randomInteger(low, Math.min(type.jsonMax, low + SMALL_SPAN)))
  }
  if (type.kind === 'decimal') {
    const [min, max] = decimalLimits(type)
    const low = min > 0n ? min : max < 0n ? max : 0n
    const high = low + BigInt(SMALL_SPAN) * 10n ** BigInt(type.scale)
    return echoedValue(decimalText(randomBetween(low, high < max ? high : max), type.scale))
  }
  if (type.kind !== 'float') return randomValue(type)
  const low = Math.max(type.min ?? 0, Math.min(0, type.max ?? 0))
  return randomFloat({ ...type, min: low, max: Math.min(type.max ?? low + SMALL_SPAN, low + SMALL_SPAN) })
}

function textLength(min: number, max: number | undefined): number {
  return Math.max(min, Math.min(max ?? RANDOM_LENGTH, RANDOM_LENGTH))
}

/** Returns random letters, padded with the same letter to a long minimum length. */
function randomText(length: number): string {
  let text = ''
  for (let index = 0; index < Math.min(length, RANDOM_LENGTH); index++)
    text += LETTERS[randomInt(LETTERS.length)] ?? 'a'
  return text.padEnd(length, 'x')
}

function randomInteger(min: number, max: number): number {
  return Number(randomBetween(BigInt(min), BigInt(max)))
}

function randomBetween(min: bigint, max: bigint): bigint {
  return min + (BigInt(`0x${randomBytes(16).toString('hex')}`) % (max - min + 1n))
}

function randomFloat({ min, max, column }: FloatType): Value {
  const low = min ?? Math.min(-1e6, (max ?? 0) - 1e6)
  const high = max ?? Math.max(1e6, low + 1e6)
  const fraction = randomInt(2 ** 47) / 2 ** 47
  // Weights both ends, because the difference of two finite bounds may not be finite.
  const drawn = low * (1 - fraction) + high * fraction
  const rounded = column === 'real' ? Math.fround(drawn) : drawn
  return echoedValue(Math.min(max ?? Infinity, Math.max(min ?? -Infinity, rounded)) || 0)
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

function randomDate(): string {
  return `${digits(randomInt(1000, 9000), 4)}-${digits(randomInt(1, 13), 2)}-${digits(randomInt(1, 29), 2)}`
}

/**
 * Returns a time with a fraction of six digits. The last one is never zero, because responses drop trailing zeros.
 */
function randomTime(): string {
  const clock = [randomInt(24), randomInt(60), randomInt(60)].map((value) => digits(value, 2)).join(':')
  return `${clock}.${String(randomInt(100_000)).padStart(5, '0')}${randomInt(1, 10)}`
}
