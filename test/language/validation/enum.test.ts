import { describe, expect, test } from 'vitest'
import { checkText } from '../../../src/language/parse.ts'
import { expectInService } from '../../host.ts'

const IN_PARENTHESES = 'values are written in parentheses, for example `status: enum(open, closed);`'

describe('the values of an enum', () => {
  test('are words of letters, digits, `_` and `-`', () => {
    expectInService(
      'a: enum(open, in-progress, IN_PROGRESS, _, 2xl, 24-7, 007, 1e6, true, all, enum, constructor,); b: enum (one) @unique;',
    )
  })
  test('fit into an index', () => {
    expectInService(`a: enum(${'x'.repeat(63)}, «${'y'.repeat(64)}»);`, 'invalid-enum-value')
  })
  test('are required, and different', () => {
    expectInService('a: «enum»; b: «enum»();', 'enum-without-values', 'enum-without-values')
    const [found] = expectInService('a: enum(x, y, «x», X);', 'duplicate-enum-value')
    expect(found?.related.map(({ range }) => range.start.column)).toEqual([9])
  })
  test('are nothing else', () => {
    const found = expectInService(
      'a: enum(«größe», «café», «1.5», «-1», «+1», «$a», «[x, y]», «b»: c);',
      ...Array<'invalid-enum-value'>(8).fill('invalid-enum-value'),
    )
    expect(found.map(({ data }) => data?.replacement)).toEqual([
      undefined,
      'cafe',
      '1_5',
      undefined,
      undefined,
      '_a',
      'x, y',
      undefined,
    ])
  })
})

/** What people write who know other languages, with the message and the help of the only diagnostic. */
test.each([
  ['enum("open", "closed")', 'Values are not quoted', undefined],
  ["enum('open')", 'Values are not quoted', undefined],
  ['enum[open, closed]', 'Unexpected `[`', IN_PARENTHESES],
  ['enum { open, closed }', 'Unexpected `{`', IN_PARENTHESES],
  ['enum { open, closed }? = open', 'Unexpected `{`', IN_PARENTHESES],
  ['enum {\n  open\n  closed\n}', 'Unexpected `{`', IN_PARENTHESES],
  ['enum { "open"; "closed" }', 'Unexpected `{`', IN_PARENTHESES],
  ['enum open, closed', 'Unexpected `open`', IN_PARENTHESES],
  ['enum(open | closed)', 'Unexpected character `|`', 'separate values with `,`'],
  ['enum(open closed)', 'Missing `,` before `closed`', undefined],
  ['enum<open, closed>', 'Unexpected character `<`', 'arguments are written in parentheses'],
  [
    'enum([open, closed])',
    'The values of an `enum` are not written as a list',
    'write them without brackets, for example `enum(open, closed)`',
  ],
  [
    'enum(values: [open, closed])',
    'The values of an `enum` cannot be named',
    'write only the values, for example `enum(open, closed)`',
  ],
  ['Enum(open, closed)', 'Unknown type or service `Enum`', 'did you mean `enum`?'],
  ['enumeration(open, closed)', 'Unknown type `enumeration`', 'did you mean `enum`?'],
  ['choice(open, closed)', 'Unknown type `choice`', 'did you mean `enum`?'],
])('`state: %s` gets one message', (type, message, help) => {
  const { diagnostics } = checkText(`P: project {}\nHome: service {\n  state: ${type};\n  beds: int;\n}\n`)
  expect(diagnostics.map((found) => [found.message, found.help])).toEqual([[message, help]])
})

test('an enum that is declared as a block gets one message', () => {
  const { diagnostics } = checkText(
    'P: project {}\nStatus: enum { open, closed }\nHome: service { status: Status; }\n',
  )
  expect(diagnostics.map(({ message }) => message)).toEqual(['Unexpected `{`'])
})
