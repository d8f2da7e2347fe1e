import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonNumber, NESTED, parseJsonObject } from '../../../templates/typescript/src/json.ts'

/** What a body is read as, numbers rounded and nested values left out; `undefined` where it is refused. */
function read(text: string): Map<string, unknown> | undefined {
  try {
    return new Map(
      [...parseJsonObject(text)].map(([key, value]) => [
        key,
        value instanceof JsonNumber ? Number(value.text) : value,
      ]),
    )
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The same by JSON.parse. */
function expected(text: string): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return new Map(
      Object.entries(value).map(([key, inner]) => [
        key,
        typeof inner === 'object' && inner !== null ? NESTED : (inner as unknown),
      ]),
    )
  } catch {
    return undefined
  }
}

const value = fc.json({ maxDepth: 4 })
const spaced = fc
  .array(fc.constantFrom(' ', '\n', '\t', '\r'), { maxLength: 2 })
  .map((parts) => parts.join(''))
const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '\\u0061', 'é'))
const member = fc
  .tuple(spaced, key, spaced, value, spaced)
  .map(([a, name, b, json, c]) => `${a}${JSON.stringify(name)}${b}:${c}${json}${a}`)
const body = fc.array(member, { maxLength: 6 }).map((members) => `{${members.join(',')}}`)

describe('a body', () => {
  test('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(body, (text) => {
        expect(read(text)).toEqual(expected(text))
      }),
      { numRuns: 1000 },
    )
  })

  test('is refused exactly where JSON.parse refuses it or gives no object', () => {
    const put = fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '-',
        '+',
        '0',
        '1',
        '.',
        'e',
        'E',
        ' ',
        '\u00a0',
      ),
      fc.string({ unit: 'binary', maxLength: 2 }),
      fc.constantFrom('true', 'nul', '\u0000', '\ufeff', '\\u12', '//', '01', '1.', '.5'),
    )
    fc.assert(
      fc.property(body, fc.nat(), fc.nat({ max: 2 }), put, (text, at, removed, added) => {
        const place = at % (text.length + 1)
        const mutated = text.slice(0, place) + added + text.slice(place + removed)
        expect(read(mutated)).toEqual(expected(mutated))
      }),
      { numRuns: 5000 },
    )
  })

  test('keeps the text of its numbers', () => {
    const object = parseJsonObject('{"a":9007199254740993,"b":1.00000000000000000001,"c":-0.0e+10}')
    expect([...object.values()]).toEqual([
      new JsonNumber('9007199254740993'),
      new JsonNumber('1.00000000000000000001'),
      new JsonNumber('-0.0e+10'),
    ])
  })

  test('of millions of brackets, quotes, backslashes or digits costs no stack and no square of its length', () => {
    const many = 2_000_000
    expect(() => parseJsonObject(`{"a":${'['.repeat(many)}`)).toThrow(/nested deeper than 500/)
    expect(() => parseJsonObject(`{"a":"${'\\"'.repeat(many)}`)).toThrow(/ends inside a string/)
    expect(() => parseJsonObject(`{"a":"${'\\'.repeat(many)}`)).toThrow(/ends inside a string/)
    expect(parseJsonObject(`{"a":${'1'.repeat(many)}}`).get('a')).toBeInstanceOf(JsonNumber)
    expect(parseJsonObject(`{"a":[${'[],'.repeat(many)}0]}`).get('a')).toBe(NESTED)
    expect(parseJsonObject(`{${'"a":1,'.repeat(many)}"a":2}`).get('a')).toEqual(new JsonNumber('2'))
    expect(parseJsonObject(' '.repeat(many) + '{}' + ' '.repeat(many)).size).toBe(0)
  })
})
