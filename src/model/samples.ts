import { assertNever, type Attribute } from './platform.ts'

/** A value in JSON: data is base64 there, dates and ids are strings. */
export type SampleValue = boolean | number | string

/** An id that is nobody's, for examples. */
export const SAMPLE_ID = '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f'

/**
 * A value of each attribute of an entity that keeps within its bounds, for examples in documentation: the same for the
 * same attributes always. A reference is `SAMPLE_ID`. Strings that have to be long are: their `minLength` in code
 * points. Each further date is a day later, since what begins is declared before it ends.
 */
export function sampleValues(attributes: readonly Attribute[]): [Attribute, SampleValue][] {
  let dates = 0
  return attributes.map((attribute) => {
    const isDate = attribute.type.kind === 'date' || attribute.type.kind === 'datetime'
    return [attribute, sampleValue(attribute, sampleDay(isDate ? dates++ : 0))]
  })
}

/** The value of an attribute; `day` is the date of one that has one, as YYYY-MM-DD. */
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
    case 'date':
      return day
    case 'time':
      return '12:30:00'
    case 'datetime':
      return `${day}T12:30:00Z`
    case 'data':
      return Buffer.from('Hello'.slice(0, type.maxSize)).toString('base64')
    case 'reference':
    case 'sibling':
      return SAMPLE_ID
    default:
      return assertNever(type)
  }
}

function sampleDay(later: number): string {
  return new Date(Date.UTC(2030, 0, 31 + later)).toISOString().slice(0, 10)
}

function sampleText(name: string, minLength: number, maxLength: number | undefined): string {
  const text = /(^|-)e-?mail$/.test(name) ? 'somebody@example.com' : `Some ${name.replaceAll('-', ' ')}`
  return text.padEnd(minLength, '.').slice(0, maxLength)
}

function within(value: number, min: number | undefined, max: number | undefined): number {
  return Math.min(Math.max(value, min ?? -Infinity), max ?? Infinity)
}
