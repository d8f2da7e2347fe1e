import {
  type AttributeType,
  assertNever,
  type FloatType,
  type IntType,
  type StringType,
} from '../../model/platform.ts'
import { type Case, plain } from './value.ts'

/** Longest string (code points) and data (bytes) that a check sends: above it a bound is not tried. */
export const LARGEST_TRIED = 1_000_000

/**
 * The values that an attribute of this type must take, its bounds first, each with its canonical form in
 * answers. Of references none: what they take depends on what exists.
 */
export function acceptedCases(type: AttributeType): Case[] {
  switch (type.kind) {
    case 'bool':
      return [accepted('true', true), accepted('false', false)]
    case 'string':
      return stringCases(type)
    case 'int':
      return intCases(type)
    case 'float':
      return floatCases(type)
    case 'date':
      return ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29'].map((date) => accepted(date, date))
    case 'time':
      return [
        accepted('midnight', '00:00:00'),
        accepted('the last microsecond', '23:59:59.999999'),
        rewritten('zeros behind the fraction dropped', '12:30:00.500000', '12:30:00.5'),
        rewritten('an empty fraction dropped', '12:30:01.000000', '12:30:01'),
        accepted('a fraction of one digit', '12:30:02.1'),
      ]
    case 'datetime':
      return [
        accepted('the first moment', '0001-01-01T00:00:00Z'),
        accepted('the last microsecond', '9999-12-31T23:59:59.999999Z'),
        accepted('a leap day', '2024-02-29T12:30:00Z'),
        rewritten('an offset, answered in UTC', '2024-03-01T00:15:00+02:00', '2024-02-29T22:15:00Z'),
        rewritten('an offset in minutes', '2024-06-01T00:00:00-05:30', '2024-06-01T05:30:00Z'),
        rewritten(
          'zeros behind the fraction dropped',
          '1969-12-31T23:59:59.120000Z',
          '1969-12-31T23:59:59.12Z',
        ),
        rewritten('the first moment with an offset', '0001-01-01T01:00:00+01:00', '0001-01-01T00:00:00Z'),
      ]
    case 'data':
      return dataCases(type.maxSize)
    case 'reference':
    case 'sibling':
      return []
    default:
      return assertNever(type)
  }
}

function accepted(what: string, answered: string | number | boolean): Case {
  return { what, ...plain(answered) }
}

function rewritten(what: string, sent: string, answered: string): Case {
  return { what, json: JSON.stringify(sent), answered }
}

function stringCases({ minLength, maxLength }: StringType): Case[] {
  const cases: Case[] = []
  if (maxLength !== undefined && maxLength <= LARGEST_TRIED) {
    cases.push(accepted(`exactly ${maxLength} characters`, 'a'.repeat(maxLength)))
    // Four bytes in UTF-8 and two units in UTF-16, but one character.
    cases.push(accepted(`exactly ${maxLength} characters beyond the basic plane`, '😀'.repeat(maxLength)))
  }
  if (minLength <= LARGEST_TRIED)
    cases.push(
      accepted(
        minLength === 0 ? 'an empty string' : `exactly ${minLength} characters`,
        'b'.repeat(minLength),
      ),
    )
  const tricky = [
    ['SQL', `'; DROP TABLE x; --"\\`],
    ['a combining mark, not composed', 'e\u0301'],
    ['white space at the ends', ' \t\r\n '],
    ['control characters', '\u0001\u007f\u0085'],
    ['text of a template', `\${x}{{x}}%s$1`],
    ['the last code point', '\u{10ffff}\ufffe\uffff'],
  ] as const
  for (const [what, text] of tricky) {
    const fitted = fit(text, minLength, maxLength)
    if (fitted !== undefined) cases.push(accepted(what, fitted))
  }
  const escaped = fit('Aé', minLength, maxLength)
  if (escaped !== undefined)
    cases.push({
      what: 'escapes, answered as the characters that they mean',
      json: `"${Array.from(escaped, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join('')}"`,
      answered: escaped,
    })
  return cases.filter(
    ({ answered }, index) => cases.findIndex((other) => other.answered === answered) === index,
  )
}

/** The text, filled up to the least length; `undefined` where it is longer than the type takes. */
function fit(text: string, minLength: number, maxLength: number | undefined): string | undefined {
  const length = Array.from(text).length
  if (length > (maxLength ?? Number.POSITIVE_INFINITY) || minLength > LARGEST_TRIED) return undefined
  return text + '.'.repeat(Math.max(0, minLength - length))
}

function intCases({ jsonMin, jsonMax }: IntType): Case[] {
  const cases = [accepted(`${jsonMin}`, jsonMin)]
  if (jsonMax !== jsonMin) cases.push(accepted(`${jsonMax}`, jsonMax))
  const inner = jsonMin <= 30 && jsonMax >= 30 ? 30 : jsonMin
  cases.push({ what: `${inner}.0, which is an integer`, json: `${inner}.0`, answered: inner })
  cases.push({ what: `${inner}e0, which is an integer`, json: `${inner}e0`, answered: inner })
  cases.push({
    what: `${inner}0E-1, which is an integer`,
    json: inner === 0 ? '0E-1' : `${inner}0E-1`,
    answered: inner,
  })
  if (jsonMin <= 0 && jsonMax >= 0) {
    cases.push({ what: '-0, which is 0', json: '-0', answered: 0 })
    cases.push({ what: 'a zero with a huge exponent', json: '0e99999', answered: 0 })
  }
  return cases
}

function floatCases({ min, max, column }: FloatType): Case[] {
  const inside = (value: number) => value >= (min ?? -Infinity) && value <= (max ?? Infinity)
  const cases: Case[] = []
  if (min !== undefined) cases.push(accepted(`${min}`, min || 0))
  if (max !== undefined && max !== min) cases.push(accepted(`${max}`, max || 0))
  const numbers =
    column === 'real' ? [1.5, 0.1, 16777217, 3.4028234e38, -2.5] : [1.5, 0.1, 1e300, 5e-324, -2.5]
  for (const number of numbers) if (inside(number)) cases.push(accepted(`${number}`, number))
  if (inside(0)) cases.push({ what: '-0.0, answered as 0', json: '-0.0', answered: 0 })
  if (inside(2)) cases.push({ what: '2e0', json: '2e0', answered: 2 })
  return cases
}

function dataCases(maxSize: number | undefined): Case[] {
  const bytes = [...Array(256).keys()]
  const all = Buffer.from(
    maxSize === undefined || maxSize >= 256 ? bytes : bytes.slice(-maxSize || bytes.length),
  )
  const cases = [accepted('no bytes', '')]
  if (maxSize !== 0) cases.push(accepted(`${all.length} different bytes`, all.toString('base64')))
  if (maxSize !== undefined && maxSize <= LARGEST_TRIED && maxSize !== 0)
    cases.push(accepted(`exactly ${maxSize} bytes`, Buffer.alloc(maxSize, 7).toString('base64')))
  return cases
}
