import { decimalText } from './decimals.ts'
import { assertNever, type Attribute, type DecimalType } from './platform.ts'

/** A JSON value. Data is base64-encoded; dates and ids are strings. */
export type SampleValue = boolean | number | string

/** An id for examples. */
export const SAMPLE_ID = '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f'

/**
 * A valid value for each attribute of an entity, for examples in documentation. The same attributes always get the
 * same values. A reference is `SAMPLE_ID`. Each further date is one day later, because start dates are usually
 * declared before end dates.
 */
export function sampleValues(attributes: readonly Attribute[]): [Attribute, SampleValue][] {
  let dates = 0
  return attributes.map((attribute) => {
    const isDate = attribute.type.kind === 'date' || attribute.type.kind === 'datetime'
    return [attribute, sampleValue(attribute, sampleDay(isDate ? dates++ : 0))]
  })
}

/** A value for an attribute. `day` is used for dates, as YYYY-MM-DD. */
function sampleValue({ type, names }: Attribute, day: string): SampleValue {
  switch (type.kind) {
    case 'bool':
      return true
    case 'string':
      return sampleText(names.kebab, type.minLength, type.maxLength)
    case 'int':
      return within(1, type.jsonMin, type.jsonMax)
    case 'float':
      return within(1.5, type.min, type.max)
    case 'decimal':
      return decimalText(sampleUnits(type), type.scale)
    case 'date':
      return day
    case 'time':
      return '12:30:00'
    case 'datetime':
      return `${day}T12:30:00Z`
    case 'data':
      return btoa('Hello'.slice(0, type.maxSize))
    case 'enum':
      return type.transitions?.initial ?? type.values[0]
    case 'reference':
    case 'sibling':
      return SAMPLE_ID
    default:
      return assertNever(type)
  }
}

/** 12.50, or the bound that is nearest to it. */
function sampleUnits({ scale, min, max }: DecimalType): bigint {
  const units = (125n * 10n ** BigInt(scale)) / 10n
  if (min !== undefined && units < min) return min
  return max !== undefined && units > max ? max : units
}

function sampleDay(offset: number): string {
  return new Date(Date.UTC(2030, 0, 31 + offset)).toISOString().slice(0, 10)
}

function sampleText(name: string, minLength: number, maxLength: number | undefined): string {
  const text = /(^|-)e-?mail$/.test(name) ? 'user@example.com' : `Some ${name.replaceAll('-', ' ')}`
  return text.padEnd(minLength, '.').slice(0, maxLength)
}

function within(value: number, min: number | undefined, max: number | undefined): number {
  return Math.min(Math.max(value, min ?? -Infinity), max ?? Infinity)
}
