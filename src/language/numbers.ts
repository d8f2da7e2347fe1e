/** Numbers in definitions, parsed from their text, so that nothing is rounded. */

const INTEGER = /^(-?)0*([0-9]+)([kKmMgG]?)$/
const FLOAT = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const FACTORS: Readonly<Record<string, bigint>> = { '': 1n, k: 1_000n, m: 1_000_000n, g: 1_000_000_000n }

/** The largest 64-bit integer. */
export const MAX_INTEGER = 2n ** 63n - 1n

/** Longer numbers are truncated: they are out of every range. */
const MAX_DECIMAL_LENGTH = 200

/** More digits than any 64-bit integer has. Longer numbers are truncated, so that a megabyte of digits is cheap. */
const MAX_DIGITS = 30

/**
 * Parses an integer, which may have a suffix `k`, `M` or `G` (in either case): `10k` is 10,000.
 * Returns `undefined` if it is not one (`1.5`, `12x`). A value that does not fit in 64 bits becomes another such
 * value, so that comparisons with bounds are correct.
 */
export function parseInteger(text: string): bigint | undefined {
  const match = INTEGER.exec(text)
  if (match === null) return undefined
  const [, sign = '', digits = '', suffix = ''] = match
  const size = BigInt(digits.slice(0, MAX_DIGITS)) * (FACTORS[suffix.toLowerCase()] ?? 1n)
  return sign === '-' ? -size : size
}

const DECIMAL = /^(-?[0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,2}))?$/

/** A decimal number: `digits` times 10^-scale. */
export interface Decimal {
  readonly digits: bigint
  /** Not negative. */
  readonly scale: number
}

/**
 * Parses a decimal number exactly: `12.5`, `1e6`, or an integer with a suffix. `undefined` if it is not one, and for
 * exponents of three digits, which are out of every range.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (/[kmg]$/i.test(text)) {
    const digits = parseInteger(text)
    return digits === undefined ? undefined : { digits, scale: 0 }
  }
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text.slice(0, MAX_DECIMAL_LENGTH)) ?? []
  if (whole === '') return undefined
  const significant = fraction.replace(/0+$/, '')
  const scale = significant.length - Number(exponent)
  const digits = BigInt(whole + significant)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

/**
 * Parses a float (`1.5`, `-0.25`, `1e6`) or an integer with or without a suffix. Infinite if a double cannot hold
 * it; `undefined` if it is not a number.
 */
export function parseFloatingPoint(text: string): number | undefined {
  if (FLOAT.test(text)) return Number(text)
  const integer = parseInteger(text)
  return integer === undefined ? undefined : Number(integer)
}
