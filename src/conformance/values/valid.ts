import {
  type AttributeType,
  assertNever,
  type DecimalType,
  type FloatType,
  type IntType,
  type StringType,
} from '../../model/platform.ts'
import { decimalLimits, decimalText } from '../../model/decimals.ts'
import { creatableWords } from './sample.ts'
import { type ValidValue, echoedValue } from './value.ts'

/** Maximum length of strings (code points) and data (bytes) in checks. Longer bounds are not tested. */
export const MAX_TESTED_LENGTH = 1_000_000

/**
 * Returns values that an attribute of this type must accept, its bounds first, with their canonical form in
 * responses. Returns none for references, because they depend on existing entities.
 */
export function validValues(type: AttributeType): ValidValue[] {
  switch (type.kind) {
    case 'bool':
      return [accepted('true', true), accepted('false', false)]
    case 'string':
      return validStrings(type)
    case 'int':
      return validInts(type)
    case 'float':
      return validFloats(type)
    case 'decimal':
      return validDecimals(type)
    case 'date':
      return ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29'].map((date) => accepted(date, date))
    case 'time':
      return [
        accepted('midnight', '00:00:00'),
        accepted('the last microsecond', '23:59:59.999999'),
        rewritten('trailing zeros of the fraction removed', '12:30:00.500000', '12:30:00.5'),
        rewritten('a zero fraction removed', '12:30:01.000000', '12:30:01'),
        accepted('a fraction of one digit', '12:30:02.1'),
      ]
    case 'datetime':
      return [
        accepted('the first moment', '0001-01-01T00:00:00Z'),
        accepted('the last microsecond', '9999-12-31T23:59:59.999999Z'),
        accepted('a leap day', '2024-02-29T12:30:00Z'),
        rewritten('an offset, converted to UTC', '2024-03-01T00:15:00+02:00', '2024-02-29T22:15:00Z'),
        rewritten('an offset in minutes', '2024-06-01T00:00:00-05:30', '2024-06-01T05:30:00Z'),
        rewritten(
          'trailing zeros of the fraction removed',
          '1969-12-31T23:59:59.120000Z',
          '1969-12-31T23:59:59.12Z',
        ),
        rewritten('the first moment with an offset', '0001-01-01T01:00:00+01:00', '0001-01-01T00:00:00Z'),
      ]
    case 'data':
      return validData(type.maxSize)
    case 'enum':
      return creatableWords(type).map((value) => accepted(`\`${value}\``, value))
    case 'reference':
    case 'sibling':
      return []
    default:
      return assertNever(type)
  }
}

function accepted(description: string, expected: string | number | boolean): ValidValue {
  return { description, ...echoedValue(expected) }
}

function rewritten(description: string, sent: string, expected: string): ValidValue {
  return { description, json: JSON.stringify(sent), expected }
}

function validStrings({ minLength, maxLength }: StringType): ValidValue[] {
  const cases: ValidValue[] = []
  if (maxLength !== undefined && maxLength <= MAX_TESTED_LENGTH) {
    cases.push(accepted(`exactly ${maxLength} characters`, 'a'.repeat(maxLength)))
    // Four bytes in UTF-8 and two units in UTF-16, but one character.
    cases.push(
      accepted(
        `exactly ${maxLength} characters outside the basic multilingual plane`,
        '😀'.repeat(maxLength),
      ),
    )
  }
  if (minLength <= MAX_TESTED_LENGTH)
    cases.push(
      accepted(
        minLength === 0 ? 'an empty string' : `exactly ${minLength} characters`,
        'b'.repeat(minLength),
      ),
    )
  const tricky = [
    ['SQL', `'; DROP TABLE x; --"\\`],
    ['an uncomposed combining mark', 'e\u0301'],
    ['leading and trailing whitespace', ' \t\r\n '],
    ['control characters', '\u0001\u007f\u0085'],
    ['template syntax', `\${x}{{x}}%s$1`],
    ['the last code point', '\u{10ffff}\ufffe\uffff'],
  ] as const
  for (const [description, text] of tricky) {
    const fitted = fit(text, minLength, maxLength)
    if (fitted !== undefined) cases.push(accepted(description, fitted))
  }
  const escaped = fit('Aé', minLength, maxLength)
  if (escaped !== undefined)
    cases.push({
      description: 'escape sequences',
      json: `"${Array.from(escaped, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join('')}"`,
      expected: escaped,
    })
  return cases.filter(
    ({ expected }, index) => cases.findIndex((other) => other.expected === expected) === index,
  )
}

/** Pads text to the minimum length; `undefined` if it is longer than the maximum. */
function fit(text: string, minLength: number, maxLength: number | undefined): string | undefined {
  const length = Array.from(text).length
  if (length > (maxLength ?? Number.POSITIVE_INFINITY) || minLength > MAX_TESTED_LENGTH) return undefined
  return text + '.'.repeat(Math.max(0, minLength - length))
}

function validInts({ jsonMin, jsonMax }: IntType): ValidValue[] {
  const cases = [accepted(`${jsonMin}`, jsonMin)]
  if (jsonMax !== jsonMin) cases.push(accepted(`${jsonMax}`, jsonMax))
  const inner = jsonMin <= 30 && jsonMax >= 30 ? 30 : jsonMin
  cases.push({ description: `${inner}.0, which is an integer`, json: `${inner}.0`, expected: inner })
  cases.push({ description: `${inner}e0, which is an integer`, json: `${inner}e0`, expected: inner })
  cases.push({
    description: `${inner}0E-1, which is an integer`,
    json: inner === 0 ? '0E-1' : `${inner}0E-1`,
    expected: inner,
  })
  if (jsonMin <= 0 && jsonMax >= 0) {
    cases.push({ description: '-0, which is 0', json: '-0', expected: 0 })
    cases.push({ description: 'a zero with a huge exponent', json: '0e99999', expected: 0 })
  }
  return cases
}

function validFloats({ min, max, column }: FloatType): ValidValue[] {
  const inside = (value: number) => value >= (min ?? -Infinity) && value <= (max ?? Infinity)
  const cases: ValidValue[] = []
  if (min !== undefined) cases.push(accepted(`${min}`, min || 0))
  if (max !== undefined && max !== min) cases.push(accepted(`${max}`, max || 0))
  const numbers =
    column === 'real' ? [1.5, 0.1, 16777217, 3.4028234e38, -2.5] : [1.5, 0.1, 1e300, 5e-324, -2.5]
  for (const number of numbers) if (inside(number)) cases.push(accepted(`${number}`, number))
  if (inside(0)) cases.push({ description: '-0.0, expected as 0', json: '-0.0', expected: 0 })
  if (inside(2)) cases.push({ description: '2e0', json: '2e0', expected: 2 })
  return cases
}

/** The bounds, and other ways to write what is between them. Numbers of 38 digits are exact. */
function validDecimals(type: DecimalType): ValidValue[] {
  const { scale } = type
  const [min, max] = decimalLimits(type)
  const cases = [...new Set([min, max])].map((units) =>
    accepted(decimalText(units, scale), decimalText(units, scale)),
  )
  const written = (json: string, units: bigint): void => {
    if (min <= units && units <= max)
      cases.push({ description: json, json, expected: decimalText(units, scale) })
  }
  const one = 10n ** BigInt(scale)
  written('"-0"', 0n)
  written('-0.0', 0n)
  written('"7"', 7n * one)
  written('8', 8n * one)
  written('9e0', 9n * one)
  if (scale > 0) {
    written('"0.3"', (3n * one) / 10n)
    // As a sum of doubles it would be 0.30000000000000004.
    written('-0.1', -one / 10n)
    written('1234567890123.5', (12_345_678_901_235n * one) / 10n)
  }
  return cases.filter(
    ({ expected }, index) => cases.findIndex((other) => other.expected === expected) === index,
  )
}

function validData(maxSize: number | undefined): ValidValue[] {
  const bytes = [...Array(256).keys()]
  const all = Buffer.from(
    maxSize === undefined || maxSize >= 256 ? bytes : bytes.slice(-maxSize || bytes.length),
  )
  const cases = [accepted('no bytes', '')]
  if (maxSize !== 0) cases.push(accepted(`${all.length} different bytes`, all.toString('base64')))
  if (maxSize !== undefined && maxSize <= MAX_TESTED_LENGTH && maxSize !== 0)
    cases.push(accepted(`exactly ${maxSize} bytes`, Buffer.alloc(maxSize, 7).toString('base64')))
  return cases
}
