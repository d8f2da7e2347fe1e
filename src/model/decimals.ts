import { DECIMAL_DIGITS } from '../limits.ts'
import type { DecimalType } from './platform.ts'

/** The bounds of a `decimal` as decimal numbers; `undefined` if the definition sets none. */
export function decimalBounds({ scale, min, max }: DecimalType): { min?: string; max?: string } {
  return {
    ...(min === undefined ? {} : { min: decimalText(min, scale) }),
    ...(max === undefined ? {} : { max: decimalText(max, scale) }),
  }
}

/** The least and the greatest value of a `decimal`, as multiples of 10^-scale. */
export function decimalLimits({ min, max }: DecimalType): [min: bigint, max: bigint] {
  const limit = 10n ** BigInt(DECIMAL_DIGITS) - 1n
  return [min ?? -limit, max ?? limit]
}

/** Compares decimal numbers without an exponent, exactly: negative if the first is less, 0 if they are equal. */
export function compareDecimals(one: string, other: string): number {
  const scale = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0))
  const [a, b] = [decimalUnits(one, scale), decimalUnits(other, scale)]
  return a < b ? -1 : Number(a > b)
}

/** The decimal number of `units` times 10^-scale, with `scale` digits after the point: `12.50`. */
export function decimalText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`
}

/** A decimal number without an exponent as a multiple of 10^-scale. It has at most `scale` digits after the point. */
export function decimalUnits(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}
