import { z } from 'zod'

interface DecimalBounds {
  /** Digits after the point. */
  readonly scale: number
  readonly min?: string
  readonly max?: string
}

/** The maximum number of digits of a decimal number, before and after the point. */
const DECIMAL_DIGITS = 38

/**
 * A decimal number with `scale` digits after the point, as a string that is never rounded. A JSON number is accepted
 * if it has at most 15 digits: others are not what the client wrote.
 */
export function decimal({ scale, min, max }: DecimalBounds) {
  const fraction = scale === 0 ? '' : `(?:\\.\\d{1,${scale}})?`
  const whole = DECIMAL_DIGITS - scale
  const form = new RegExp(`^-?(?:0|[1-9]\\d{0,${whole - 1}})${fraction}$`)
  const padded = (text: string) => {
    const [integer, digits = ''] = text.split('.')
    const point = scale === 0 ? '' : '.'
    return `${integer}${point}${digits.padEnd(scale, '0')}`.replace(/^-(?=[0.]+$)/, '')
  }
  return z
    .preprocess(
      (value) => (typeof value === 'number' ? exactDecimal(value) : value),
      z
        .string('must be a decimal number')
        .regex(
          form,
          `must be a decimal number with at most ${whole} digits before and ${scale} after the point`,
        ),
    )
    .transform(padded)
    .refine((text) => min === undefined || units(text) >= units(min), `must be at least ${min}`)
    .refine((text) => max === undefined || units(text) <= units(max), `must be at most ${max}`)
}

/** A double without an exponent; empty if its first 15 digits do not tell it from all others. */
function exactDecimal(value: number): string {
  const text = value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 100 })
  return Number(value.toPrecision(15)) === value && Number(text) === value ? text : ''
}

/** A decimal number as a multiple of its last digit. */
const units = (text: string) => BigInt(text.replace('.', ''))
