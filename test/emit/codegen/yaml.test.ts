import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { commented, flow, type Yaml, yamlFile } from '../../../src/emit/codegen/yaml.ts'

describe('yamlFile', () => {
  test('writes comments, sections and short sequences', () => {
    const text = yamlFile('Head\n\nof the file', {
      services: {
        home: commented('Two\nlines', { ports: flow(['1', 2]), absent: undefined }),
      },
      volumes: [
        commented('an item', 'a'),
        { name: 'b', size: commented('deep', 1) },
        { name: commented('first', 'c') },
      ],
      script: 'a\n\nb\n',
    })
    expect(text).toBe(`# Head
#
# of the file

services:
  # Two
  # lines
  home:
    ports: ['1', 2]

volumes:
  # an item
  - a
  - name: b
    # deep
    size: 1
  # first
  - name: c

script: |
  a

  b
`)
  })

  test('writes a value that occurs twice without an anchor', () => {
    const shared = { a: 1 }
    expect(yamlFile('h', { x: shared, y: shared })).not.toMatch(/[&*]/)
  })

  test('folds no line', () => {
    const long = 'word '.repeat(60).trim()
    expect(yamlFile('h', { long })).toContain(`long: ${long}\n`)
  })
})

const AWKWARD = [
  '',
  ' ',
  'yes',
  'No',
  'on',
  '22:22',
  '# c',
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
  '1\n2\n',
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
const value = fc.letrec<{ value: Yaml; object: Record<string, Yaml> }>((tie) => ({
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

describe('any data', () => {
  it.each(['1.1', '1.2'] as const)('is read back as what it holds, in YAML %s', (version) => {
    fc.assert(
      fc.property(value.object, (object) => {
        fc.pre(Object.keys(object).length > 0)
        const written = yamlFile('A comment.', object)
        // Other parsers read some of these as line breaks, or reject them.
        expect(written).not.toMatch(/[^\P{Cc}\n]|[\u2028\u2029\ufeff\ufffe\uffff]/u)
        const read: unknown = parse(written, { version })
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(object)))
        const bracketed: unknown = parse(yamlFile('Brackets.', { flow: flow(object) }), { version })
        expect(JSON.parse(JSON.stringify(bracketed))).toEqual({ flow: JSON.parse(JSON.stringify(object)) })
      }),
      { numRuns: 500 },
    )
  })

  it('is written without unnecessary quotes', () => {
    expect(
      yamlFile('Two things.', {
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
