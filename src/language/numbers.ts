/** Numbers as definitions write them, read from their text so that nothing is rounded on the way. */

const INTEGER = /^(-?)0*([0-9]+)([kKmMgG]?)$/
const FLOAT = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const FACTORS: Readonly<Record<string, bigint>> = { '': 1n, k: 1_000n, m: 1_000_000n, g: 1_000_000_000n }

/** The range of 64-bit integers. */
export const MIN_INTEGER = -(2n ** 63n)
export const MAX_INTEGER = 2n ** 63n - 1n

/** More digits than any 64-bit integer has; longer ones are cut so that a megabyte of digits costs nothing. */
const MAX_DIGITS = 30

/**
 * The integer that this text stands for, `k`, `M` and `G` (either case) applied: `10k` is 10,000.
 * `undefined` where it is none (`1.5`, `12x`). Values outside of 64 bits are given as some value outside of
 * them, so that a comparison with the bounds is right.
 */
export function parseInteger(text: string): bigint | undefined {
  const match = INTEGER.exec(text)
  if (match === null) return undefined
  const [, sign = '', digits = '', suffix = ''] = match
  const size = BigInt(digits.slice(0, MAX_DIGITS)) * (FACTORS[suffix.toLowerCase()] ?? 1n)
  return sign === '-' ? -size : size
}

/**
 * The double that this text stands for: a float (`1.5`, `-0.25`, `1e6`) or an integer, `k`, `M` and `G`
 * included. Infinite where it is beyond doubles; `undefined` where it is no number.
 */
export function parseFloatingPoint(text: string): number | undefined {
  if (FLOAT.test(text)) return Number(text)
  const integer = parseInteger(text)
  return integer === undefined ? undefined : Number(integer)
}
