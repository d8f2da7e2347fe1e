import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type PlainYamlObject, plainYamlFile } from '../../../src/emit/kit/plain-yaml.ts'

const AWKWARD = [
  '',
  ' ',
  'yes',
  'No',
  'null',
  '~',
  '1',
  '1e3',
  '0x1f',
  '2030-01-31',
  '12:30:00',
  'a: b',
  'a #b',
  'a:',
  ':a',
  '- a',
  "it's",
  'say "so"',
  'C:\\temp',
  'a\nb',
  'a\n\n  b\nc',
  ' a\nb',
  'a\nb\n',
  '\ta',
  'a\u0000b',
  'Zürich',
  '😀',
  '{a}',
  '[a]',
  '*a',
  '&a',
  '!a',
  '%a',
  '@a',
  '`a`',
  '|',
  '>',
  '?',
  '---',
  '...',
  '\u0085',
  '\u2028',
  '__proto__',
]

const text = fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ unit: 'binary' }), fc.string())
const value = fc.letrec<{ value: PlainYamlObject[string]; object: PlainYamlObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(
    text.filter((key) => key !== '__proto__'),
    tie('value'),
    { maxKeys: 4 },
  ),
}))

describe('a YAML file of plain data', () => {
  it.each(['1.1', '1.2'] as const)('is read back as what it holds, in YAML %s', (version) => {
    fc.assert(
      fc.property(value.object, (object) => {
        fc.pre(Object.keys(object).length > 0)
        const read: unknown = parse(plainYamlFile('A comment.', object), { version })
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(object)))
      }),
      { numRuns: 500 },
    )
  })

  it('is as people write it', () => {
    expect(
      plainYamlFile('Two things.', {
        name: 'Some text: with a colon',
        plain: 'a, b; (c) <d>',
        large: 1e21,
        list: ['a', { b: 1, c: [] }, [true]],
        lines: 'First.\n\nSecond.',
        '200': {},
      }),
    ).toBe(`# Two things.
'200': {}
name: 'Some text: with a colon'
plain: a, b; (c) <d>
large: 1.0e+21
list:
  - a
  - b: 1
    c: []
  -
    - true
lines: |-
  First.

  Second.
`)
  })
})
