import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { decimalText, decimalUnits } from '../../../src/model/decimals.ts'
import { validate } from '../../../templates/typescript/lib/requests.ts'
import { datetime } from '../../../templates/typescript/lib/times.ts'
import { decimal } from '../../../templates/typescript/lib/decimal.ts'
import { base64, double, integer, oneOf, real, text } from '../../../templates/typescript/lib/values.ts'

/** The value that a schema makes of a text of JSON; `undefined` if it refuses it. */
function read<Value>(schema: z.ZodType<Value>, json: string): Value | undefined {
  try {
    return validate(z.object({ a: schema }), JSON.parse(`{"a":${json}}`) as object).a
  } catch {
    return undefined
  }
}

test('integers are what JSON.parse reads, if they are safe', () => {
  const any = integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(read(any, String(number))).toBe(Number.isSafeInteger(number) ? number + 0 : undefined)
    }),
  )
  for (const three of ['3.0', '3e0', '30e-1']) expect(read(any, three)).toBe(3)
  for (const refused of ['9007199254740992', '-9007199254740992', '1.5', '1e400', '"1"', 'true'])
    expect(read(any, refused)).toBeUndefined()
})

test('floats are those of their precision, finite, and never -0', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(read(double(), String(number))).toBe(number + 0)
      const single = Math.fround(number)
      expect(read(real(), String(number))).toBe(Number.isFinite(single) ? single + 0 : undefined)
    }),
  )
})

/** Digits of a decimal number with `scale` digits after the point. */
const decimals = fc
  .integer({ min: 0, max: 18 })
  .chain((scale) =>
    fc
      .tuple(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.constant(scale))
      .map(([units]) => ({ scale, text: decimalText(units, scale) })),
  )

test('decimals keep every digit', () => {
  fc.assert(
    fc.property(decimals, ({ scale, text: written }) => {
      expect(read(decimal({ scale }), JSON.stringify(written))).toBe(written)
      const bounds = { scale, min: written, max: written }
      expect(read(decimal(bounds), JSON.stringify(written))).toBe(written)
    }),
    { numRuns: 1000 },
  )
})

test('a bound of a decimal is compared exactly', () => {
  fc.assert(
    fc.property(decimals, fc.constantFrom(1n, -1n), ({ scale, text: bound }, step) => {
      const beyond = decimalText(decimalUnits(bound, scale) + step, scale)
      const schema = decimal({ scale, ...(step > 0n ? { max: bound } : { min: bound }) })
      expect(read(schema, JSON.stringify(bound))).toBe(bound)
      expect(read(schema, JSON.stringify(beyond))).toBeUndefined()
    }),
  )
})

test('a number is a decimal if its 15 digits are exact and it has no more than the scale', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 14), max: 10 ** 14 }), fc.nat({ max: 6 }), (digits, scale) => {
      const written = decimalText(BigInt(digits), scale)
      expect(read(decimal({ scale }), written)).toBe(written)
      expect(read(decimal({ scale: scale + 1 }), written)).toBe(scale === 0 ? `${written}.0` : `${written}0`)
    }),
  )
  const exact = [
    ['12.5', '12.50'],
    ['1e3', '1000.00'],
    ['-0', '0.00'],
    ['-0.0', '0.00'],
    ['1e-2', '0.01'],
  ] as const
  for (const [json, value] of exact) expect(read(decimal({ scale: 2 }), json)).toBe(value)
  for (const json of ['0.001', '1e-3', '5e-324', '1e400', '1e36', '123456789012345.67', 'true', '[1]'])
    expect(read(decimal({ scale: 2 }), json)).toBeUndefined()
  expect(read(decimal({ scale: 18 }), '0.30000000000000004')).toBeUndefined()
})

test.each([
  ['"1.234"', 'must be a decimal number with at most 36 digits before and 2 after the point'],
  ['"1e1"', 'must be a decimal number with at most 36 digits before and 2 after the point'],
  ['true', 'must be a decimal number'],
  ['"10"', 'must be at most 9.99'],
  ['-1', 'must be at least 0.00'],
])('why %s is not a decimal', (json, reason) => {
  const schema = z.object({ a: decimal({ scale: 2, min: '0.00', max: '9.99' }) })
  expect(() => validate(schema, JSON.parse(`{"a":${json}}`) as object)).toThrow(
    new RegExp(`^Invalid request parameter a: ${reason}$`),
  )
})

test('an enum takes its values only, whatever they are called', () => {
  const values = ['open', '2xl', '01', 'constructor', '__proto__'] as const
  for (const value of values) expect(read(oneOf(...values), JSON.stringify(value))).toBe(value)
  for (const json of ['"Open"', '"open "', '""', '"1"', '2', '"toString"', '["open"]', 'true'])
    expect(read(oneOf(...values), json)).toBeUndefined()
  expect(() => validate(z.object({ a: oneOf('x', 'y') }), { a: 'z' })).toThrow(
    /^Invalid request parameter a: must be one of x, y$/,
  )
})

test.each([
  [text({ min: 1 }), '', 'must have at least 1 character'],
  [text({ min: 2 }), 'b', 'must have at least 2 characters'],
  [text({ max: 1 }), 'bc', 'must have at most 1 character'],
  [text({ max: 0 }), 'b', 'must have at most 0 characters'],
  [base64({ max: 1 }), 'QUI=', 'must have at most 1 byte'],
  [base64({ max: 2 }), 'QUJD', 'must have at most 2 bytes'],
])('one is not a plural: %#', (schema, value, reason) => {
  expect(() => validate(z.object({ a: schema }), { a: value })).toThrow(
    new RegExp(`^Invalid request parameter a: ${reason}$`),
  )
})

test('lengths count code points', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.nat({ max: 12 }),
      fc.nat({ max: 12 }),
      (value, min, max) => {
        const { length } = Array.from(value)
        const isValid = length >= min && length <= max && !value.includes('\0')
        expect(read(text({ min, max }), JSON.stringify(value))).toBe(isValid ? value : undefined)
      },
    ),
    { numRuns: 1000 },
  )
})

test('times with an offset are the same moment in UTC', () => {
  const minutes = fc.integer({ min: -1439, max: 1439 })
  const date = fc.date({ min: new Date('0001-01-03'), max: new Date('9999-12-29'), noInvalidDate: true })
  fc.assert(
    fc.property(date, minutes, fc.stringMatching(/^[0-9]{1,6}$/), (moment, offset, fraction) => {
      const local = new Date(Math.floor(moment.getTime() / 1000) * 1000 + offset * 60_000)
      const sign = offset < 0 ? '-' : '+'
      const pad = (number: number) => String(number).padStart(2, '0')
      const zone = `${sign}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`
      const written = `${local.toISOString().slice(0, 19)}.${fraction}${zone}`
      const seconds = new Date(Math.floor(moment.getTime() / 1000) * 1000).toISOString().slice(0, 19)
      const rest = `.${fraction}`.replace(/\.?0+$/, '')
      expect(read(datetime, JSON.stringify(written))).toBe(`${seconds}${rest}Z`)
    }),
    { numRuns: 1000 },
  )
})

test('data is what canonical base64 says, and nothing else is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.nat({ max: 20 }), (bytes, max) => {
      const written = Buffer.from(bytes).toString('base64')
      const value = read(base64({ max }), JSON.stringify(written))
      if (bytes.length > max) expect(value).toBeUndefined()
      else expect([...(value ?? [])]).toEqual([...bytes])
      if (written.endsWith('=')) expect(read(base64(), JSON.stringify(written.slice(0, -1)))).toBeUndefined()
      expect(read(base64(), JSON.stringify(`${written} `))).toBeUndefined()
    }),
  )
})

test('a condition on the whole request is not a missing parameter', () => {
  const range = z.strictObject({ from: z.number(), to: z.number() })
  const ordered = range.refine(({ from, to }) => from < to, 'from must be less than to')
  const check = (schema: z.ZodType, value: object) => () => validate(schema, value)
  expect(check(ordered, { from: 2, to: 1 })).toThrow('Invalid request: from must be less than to')
  expect(check(range, { from: 1, to: 2, by: 3 })).toThrow('Invalid request: Unrecognized key: "by"')
  expect(check(range, { from: 1, by: 3 })).toThrow('Missing request parameter(s): to')
  expect(check(range, { from: 1, to: 'x', by: 3 })).toThrow('Invalid request parameter to: ')
})
