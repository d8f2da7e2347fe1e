import { z } from 'zod'

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export const isUuid = (value: string) => z.regexes.guid.test(value)

/** A UUID of any version, converted to lower case. */
export const uuid = z.guid('must be a UUID').toLowerCase()

export const boolean = z.boolean('must be true or false')

/** A value, or the default where it is missing or null. */
export const withDefault = <Value extends string | number | boolean>(
  schema: z.ZodType<Value>,
  value: NoInfer<Value> | (() => NoInfer<Value>),
) => schema.nullish().transform((given) => given ?? (typeof value === 'function' ? value() : value))

/** Inclusive bounds. */
interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** Text that Postgres can store. The bounds count Unicode code points. */
export const text = ({ min = 0, max = Infinity }: Bounds = {}) =>
  z
    .string('must be a string')
    .refine((value) => !value.includes('\0'), 'must not contain U+0000')
    .refine((value) => value.isWellFormed(), 'must not contain unpaired surrogates')
    // A code point is one or two code units, so most lengths do not have to be counted.
    .refine((value) => value.length >= min * 2 || codePoints(value) >= min, atLeast(min, 'character'))
    .refine((value) => value.length <= max || codePoints(value) <= max, atMost(max, 'character'))

/** The number of code points: a pair of surrogates is one. */
const codePoints = (value: string) => value.replace(/[\ud800-\udbff]/g, '').length

const atLeast = (count: number, unit: string) => `must have at least ${plural(count, unit)}`
const atMost = (count: number, unit: string) => `must have at most ${plural(count, unit)}`
export const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** An integer. `-0` becomes `0`. */
export function integer({ min, max }: Required<Bounds>) {
  const range = `must be an integer from ${min} to ${max}`
  return z.int(range).min(min, range).max(max, range).overwrite(withoutNegativeZero)
}

/** A double-precision number. */
export const double = (bounds: Bounds = {}) => bounded(z.number('must be a number'), bounds)

/** A single-precision number, rounded before its bounds are checked. */
export const real = (bounds: Bounds = {}) =>
  bounded(z.number('must be a number').overwrite(Math.fround).refine(Number.isFinite, 'is too large'), bounds)

const bounded = (schema: z.ZodNumber, { min = -Infinity, max = Infinity }: Bounds) =>
  schema.min(min, `must be at least ${min}`).max(max, `must be at most ${max}`).overwrite(withoutNegativeZero)

const withoutNegativeZero = (value: number) => value + 0

/** One of these words. */
export const oneOf = <const Word extends string>(...words: readonly [Word, ...Word[]]) =>
  z.enum(words, `must be one of ${words.join(', ')}`)

/** Bytes from canonical, padded base64. */
export const base64 = ({ max = Infinity }: Pick<Bounds, 'max'> = {}) =>
  z
    .string('must be a base64 string')
    .transform((encoded) => ({ encoded, bytes: Buffer.from(encoded, 'base64') }))
    // Buffer skips invalid characters. Only canonical text is encoded back unchanged.
    .refine(({ encoded, bytes }) => bytes.toString('base64') === encoded, 'must be padded, canonical base64')
    .refine(({ bytes }) => bytes.length <= max, atMost(max, 'byte'))
    .transform(({ bytes }) => bytes)
