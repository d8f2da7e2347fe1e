import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { commented, onOneLine, yamlFile } from '../../../src/emit/kit/yaml.ts'

describe('yamlFile', () => {
  test('writes comments, sections and short sequences', () => {
    const text = yamlFile('Head\n\nof the file', {
      services: {
        home: commented('Two\nlines', { ports: onOneLine(['1', 2]), absent: undefined }),
      },
      volumes: [commented('an item', 'a'), { name: 'b', size: commented('deep', 1) }],
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
`)
  })

  test.each([
    'yes',
    'no',
    'on',
    'null',
    '~',
    '0x10',
    '1e3',
    '22:22',
    '',
    ' a',
    'a: b',
    '# c',
    "it's",
    '1\n2\n',
  ])('keeps the string %j in either version of YAML', (value) => {
    const text = yamlFile('', { value, [value]: 'key', list: [value], flow: onOneLine([value]) })
    for (const version of ['1.1', '1.2'] as const) {
      const read: unknown = parse(text, { version })
      expect(read).toEqual({ value, [value]: 'key', list: [value], flow: [value] })
    }
  })

  test('writes a value that occurs twice in full, twice', () => {
    const shared = { a: 1 }
    expect(yamlFile('h', { x: shared, y: shared })).not.toMatch(/[&*]/)
  })

  test('folds no line', () => {
    const long = 'word '.repeat(60).trim()
    expect(yamlFile('h', { long })).toContain(`long: ${long}\n`)
  })
})
