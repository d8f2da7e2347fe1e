import {
  type AttributeType,
  assertNever,
  type DecimalType,
  type EnumType,
  type FloatType,
  type IntType,
  type StringType,
} from '../../model/platform.ts'
import { decimalLimits, decimalText } from '../../model/decimals.ts'
import { MAX_TESTED_LENGTH } from './valid.ts'
import type { InvalidValue } from './value.ts'

/**
 * Returns JSON texts that an attribute of this type must reject: other types, values just outside bounds, other
 * formats.
 */
export function invalidValues(type: AttributeType): InvalidValue[] {
  switch (type.kind) {
    case 'bool':
      return [...texts('true', ''), ...raw('0', '1', '{}', '[]', '[true]')]
    case 'string':
      return invalidStrings(type)
    case 'int':
      return invalidInts(type)
    case 'float':
      return invalidFloats(type)
    case 'decimal':
      return invalidDecimals(type)
    case 'date':
      return [
        ...texts(
          '2023-02-29',
          '1900-02-29',
          '2024-02-30',
          '2024-13-01',
          '2024-00-10',
          '2024-01-00',
          '2024-01-32',
        ),
        ...texts('0000-01-01', '10000-01-01', '-0001-01-01', '2024-1-1', '24-01-01', '20240101', ''),
        ...texts('2024-01-01T00:00:00Z', ' 2024-01-01', '2024-01-01 ', '2024-01-01\n', '2024-01-01 BC'),
        ...texts('infinity', 'today', '２０２４-01-01'),
        ...raw('20240101', 'true', '{}', '[]'),
      ]
    case 'time':
      return [
        ...texts('24:00:00', '23:59:60', '12:60:00', '12:30', '12:30:00.', '12:30:00.1234567', '1:02:03', ''),
        ...texts(
          '12:30:00Z',
          '12:30:00+00:00',
          '12:30:00,5',
          '-1:00:00',
          'now',
          'allballs',
          ' 12:30:00',
          '12:30:00 PM',
        ),
        ...raw('123000', 'true', '{}', '[]'),
      ]
    case 'datetime':
      return [
        ...texts('2024-02-29T12:30:00', '2024-02-29', '2024-02-29T12:30:00+0200', '2024-02-29T12:30:00+02'),
        ...texts(
          '2023-02-29T12:30:00Z',
          '2024-02-29T24:00:00Z',
          '2024-02-29T12:30:60Z',
          '2024-02-29T12:60:00Z',
        ),
        ...texts('2024-02-29T12:30:00.1234567Z', '2024-02-29T12:30:00.Z', '2024-02-29T12:30Z'),
        ...texts('2024-02-29T12:30:00+24:00', '2024-02-29T12:30:00+02:60', '0001-01-01T00:00:00+00:01'),
        ...texts('9999-12-31T23:59:59-00:01', '0000-12-31T23:59:59Z', '10000-01-01T00:00:00Z', ''),
        ...texts('infinity', 'now', ' 2024-02-29T12:30:00Z', '2024-02-29T12:30:00Z ', '1709209800'),
        ...raw('1709209800', 'true', '{}', '[]'),
      ]
    case 'data':
      return invalidData(type.maxSize)
    case 'enum':
      return invalidWords(type)
    case 'reference':
    case 'sibling':
      return [
        ...texts(
          'x',
          '',
          '018f6d1e',
          '018f6d1e-0000-7000-8000-00000000000',
          '018f6d1e-0000-7000-8000-0000000000000',
        ),
        ...texts('018f6d1e000070008000000000000000', '{018f6d1e-0000-7000-8000-000000000000}'),
        ...texts('urn:uuid:018f6d1e-0000-7000-8000-000000000000', '018f6d1e-0000-7000-8000-00000000000g'),
        ...texts('018f6d1e-0000-7000-8000-000000000000\n', "' OR 1=1 --"),
        ...raw('1', 'true', '{}', '[]'),
      ]
    default:
      return assertNever(type)
  }
}

function texts(...values: readonly string[]): InvalidValue[] {
  return values.map((value) => ({ description: JSON.stringify(value), json: JSON.stringify(value) }))
}

function raw(...values: readonly string[]): InvalidValue[] {
  return values.map((value) => ({ description: value, json: value }))
}

function invalidStrings({ minLength, maxLength }: StringType): InvalidValue[] {
  const values = raw('1', 'true', '{}', '[]', '["a"]')
  if (maxLength !== undefined && maxLength <= MAX_TESTED_LENGTH) {
    values.push({
      description: `${maxLength + 1} characters`,
      json: JSON.stringify('a'.repeat(maxLength + 1)),
    })
    values.push({
      description: `${maxLength + 1} characters outside the basic multilingual plane`,
      json: JSON.stringify('😀'.repeat(maxLength + 1)),
    })
  }
  if (minLength > 0 && minLength <= MAX_TESTED_LENGTH) {
    values.push({
      description: `${minLength - 1} characters`,
      json: JSON.stringify('a'.repeat(minLength - 1)),
    })
    if (minLength > 1) {
      // As many UTF-16 units as the minimum, but half as many characters.
      const astral = '😀'.repeat(minLength - 1)
      values.push({
        description: `${minLength - 1} characters outside the basic multilingual plane`,
        json: JSON.stringify(astral),
      })
    }
  }
  if (maxLength === 0) return values
  const filler = 'a'.repeat(Math.max(0, Math.min(minLength, MAX_TESTED_LENGTH) - 1))
  for (const [description, escape] of [
    ['U+0000', '\\u0000'],
    ['an unpaired high surrogate', '\\ud800'],
    ['an unpaired low surrogate', '\\udc00'],
  ] as const)
    values.push({ description, json: `"${filler}${escape}"` })
  if (maxLength === undefined || maxLength >= filler.length + 2)
    values.push({ description: 'surrogates in the wrong order', json: `"${filler}\\udc00\\ud800"` })
  return values
}

/** Whether there are doubles between this integer and the next, so that `JSON.parse` reads `.5` after it. */
function hasFractions(value: number): boolean {
  return Math.abs(value) < 2 ** 52
}

function invalidInts({ jsonMin, jsonMax }: IntType): InvalidValue[] {
  return [
    ...raw(beyond(jsonMax, 1n), beyond(jsonMin, -1n)),
    ...raw(...[jsonMin, jsonMax].filter(hasFractions).map((bound) => `${bound}.5`)),
    ...raw('9007199254740992', '-9007199254740992', '9007199254740993', '18446744073709551616'),
    ...raw('1e400', '-1e400', '1e99999999999', '5e-324', 'true', '{}', '[]', '[1]'),
    ...texts(`${jsonMin}`, '', '0x1'),
  ]
}

function beyond(value: number, step: bigint): string {
  return (BigInt(value) + step).toString()
}

/** The values next to the bounds, more digits than the scale, and other ways to write numbers. */
function invalidDecimals(type: DecimalType): InvalidValue[] {
  const { scale } = type
  const [min, max] = decimalLimits(type)
  return [
    ...texts(decimalText(max + 1n, scale), decimalText(min - 1n, scale)),
    ...texts(`${decimalText(max, scale)}${scale === 0 ? '.' : ''}0`, `1.${'0'.repeat(scale)}1`),
    ...texts(
      '',
      '-',
      '+1',
      '1e1',
      '.5',
      '5.',
      '01',
      '0x1',
      ' 1',
      '1 ',
      '1,5',
      '1_000',
      '１',
      'NaN',
      'Infinity',
    ),
    ...raw('1e400', '-1e400', '1e99', '1234567890123456789', '0.30000000000000004', '5e-324'),
    ...raw('true', '{}', '[]', '["1"]'),
  ]
}

function invalidFloats({ min, max, column }: FloatType): InvalidValue[] {
  const values = [
    ...raw('1e400', '-1e400', '1e99999999999', 'true', '{}', '[]'),
    ...texts('1.5', '', 'NaN', 'Infinity'),
  ]
  if (column === 'real') values.push(...raw('1e39', '-1e39', '3.5e38'))
  if (max !== undefined) values.push(...beyondFloat(max, column, 1))
  if (min !== undefined) values.push(...beyondFloat(min, column, -1))
  return values
}

/** Returns the next number beyond a bound in the column's precision, or nothing after the last finite one. */
function beyondFloat(bound: number, column: FloatType['column'], direction: 1 | -1): InvalidValue[] {
  const next = column === 'real' ? nextReal(bound, direction) : nextDouble(bound, direction)
  return Number.isFinite(next) ? raw(jsonNumber(next)) : []
}

function jsonNumber(value: number): string {
  return JSON.stringify(value)
}

function nextDouble(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  // IEEE 754 doubles of the same sign sort like their bits.
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 === direction > 0 ? 1n : -1n))
  return view.getFloat64(0)
}

function nextReal(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * 2 ** -149
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, value)
  view.setInt32(0, view.getInt32(0) + (value > 0 === direction > 0 ? 1 : -1))
  return view.getFloat32(0)
}

/** Words that differ from a value in case, in length or by white space, and other types. */
function invalidWords({ values }: EnumType): InvalidValue[] {
  const [first] = values
  const others = [first.toUpperCase(), first.toLowerCase(), `${first}x`, first.slice(1), ` ${first}`]
  return [
    ...texts(...[...others, `${first}\n`, values.join(','), ''].filter((text) => !values.includes(text))),
    ...raw('0', 'true', '{}', JSON.stringify([first])),
  ]
}

function invalidData(maxSize: number | undefined): InvalidValue[] {
  const values = [
    ...texts(
      'AA',
      'AA=',
      'A===',
      '====',
      'AB==',
      'AAB=',
      '-_-_',
      'AA==\n',
      ' AA==',
      'Zm9v YmFy',
      'AA==AA==',
      'é',
      '\u0000',
    ),
    ...raw('1', 'true', '{}', '[]', '[1]'),
  ]
  if (maxSize !== undefined && maxSize <= MAX_TESTED_LENGTH)
    values.push({
      description: `${maxSize + 1} bytes`,
      json: JSON.stringify(Buffer.alloc(maxSize + 1).toString('base64')),
    })
  return values
}
