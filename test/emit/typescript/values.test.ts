import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonObject } from '../../../templates/typescript/src/json.ts'
import { readData } from '../../../templates/typescript/src/values/data.ts'
import { readDatetime } from '../../../templates/typescript/src/values/datetime.ts'
import { readDouble, readReal } from '../../../templates/typescript/src/values/float.ts'
import { readInt } from '../../../templates/typescript/src/values/int.ts'
import { readString } from '../../../templates/typescript/src/values/string.ts'

/** What a reader gives for a text of JSON; `undefined` where it refuses. */
function read<Value>(
  reader: (body: ReturnType<typeof parseJsonObject>, name: string) => Value,
  text: string,
) {
  try {
    return reader(parseJsonObject(`{"a":${text}}`), 'a')
  } catch {
    return undefined
  }
}

/** The integer that a number's text denotes exactly, if it is one within 2^53-1. */
function exact(sign: string, whole: bigint, fraction: string, exponent: number): number | undefined {
  const digits = BigInt(`${whole}${fraction}`)
  const shift = exponent - fraction.length
  if (digits === 0n) return 0
  const scale = 10n ** BigInt(Math.abs(shift))
  if (shift < 0 && digits % scale !== 0n) return undefined
  const value = (shift < 0 ? digits / scale : digits * scale) * (sign === '-' ? -1n : 1n)
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : undefined
}

test('integers are exact by their text', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', '-'),
      fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 300n })),
      fc.oneof(fc.constantFrom('', '0', '00'), fc.stringMatching(/^[0-9]{1,6}$/)),
      fc.integer({ min: -25, max: 25 }),
      (sign, whole, fraction, exponent) => {
        const text = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}${exponent === 0 ? '' : `e${exponent}`}`
        const value = read((body, name) => readInt(body, name, -9007199254740991, 9007199254740991), text)
        expect(value).toBe(exact(sign, whole, fraction, exponent))
      },
    ),
    { numRuns: 5000 },
  )
})

test('floats are those of their precision, finite, and never -0', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(read(readDouble, String(number))).toBe(number + 0)
      const single = Math.fround(number)
      expect(read(readReal, String(number))).toBe(Number.isFinite(single) ? single + 0 : undefined)
    }),
  )
})

test.each([
  [() => readString(parseJsonObject('{"a":""}'), 'a', 1), 'must have at least 1 character'],
  [() => readString(parseJsonObject('{"a":"b"}'), 'a', 2), 'must have at least 2 characters'],
  [() => readString(parseJsonObject('{"a":"bc"}'), 'a', 0, 1), 'must have at most 1 character'],
  [() => readString(parseJsonObject('{"a":"b"}'), 'a', 0, 0), 'must have at most 0 characters'],
  [() => readData(parseJsonObject('{"a":"QUI="}'), 'a', 1), 'must have at most 1 byte'],
  [() => readData(parseJsonObject('{"a":"QUJD"}'), 'a', 2), 'must have at most 2 bytes'],
])('one is no plural: %#', (reading, reason) => {
  expect(reading).toThrow(new RegExp(`^Invalid request parameter a: ${reason}$`))
})

test('lengths count code points', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.nat({ max: 12 }),
      fc.nat({ max: 12 }),
      (text, min, max) => {
        const { length } = Array.from(text)
        const value = read((body, name) => readString(body, name, min, max), JSON.stringify(text))
        expect(value).toBe(length >= min && length <= max && !text.includes('\0') ? text : undefined)
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
      const text = `${local.toISOString().slice(0, 19)}.${fraction}${zone}`
      const seconds = new Date(Math.floor(moment.getTime() / 1000) * 1000).toISOString().slice(0, 19)
      const rest = `.${fraction}`.replace(/\.?0+$/, '')
      expect(read(readDatetime, JSON.stringify(text))).toBe(`${seconds}${rest}Z`)
    }),
    { numRuns: 1000 },
  )
})

test('data is what canonical base64 says, and nothing else is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.nat({ max: 20 }), (bytes, max) => {
      const text = Buffer.from(bytes).toString('base64')
      const value = read((body, name) => readData(body, name, max), JSON.stringify(text))
      if (bytes.length > max) expect(value).toBeUndefined()
      else expect([...(value ?? [])]).toEqual([...bytes])
      if (text.endsWith('=')) expect(read(readData, JSON.stringify(text.slice(0, -1)))).toBeUndefined()
      expect(read(readData, JSON.stringify(`${text} `))).toBeUndefined()
    }),
  )
})
