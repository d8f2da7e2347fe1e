import { readFileSync } from 'node:fs'
import { assert, constantFrom, oneof, property, string, uint8Array } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderDiagnostic } from '../../src/diagnostics/render.ts'
import { formatText } from '../../src/language/formatter.ts'
import { checkText } from '../../src/language/parse.ts'
import { documentationOf } from '../../src/language/documentation.ts'
import { resolvePlatform } from '../../src/model/resolve.ts'
import { definitionText, examplePaths, mutatedDefinition, withSlips } from './definitions.ts'

/** Everything that hosts do with a text. Nothing of it throws. */
function survive(text: string): ReturnType<typeof checkText> {
  const checked = checkText(text)
  const misplaced = checked.diagnostics.filter(
    ({ message, range: { start, end } }) =>
      start.offset > end.offset ||
      end.offset > text.length ||
      start.line < 1 ||
      start.column < 1 ||
      message.length > 1000,
  )
  expect(misplaced).toEqual([])
  expect(checked.diagnostics.length).toBeLessThan(25_000)
  for (const diagnostic of checked.diagnostics.slice(0, 100)) {
    expect(renderDiagnostic(diagnostic, text, () => 'x').length).toBeLessThan(5000)
  }
  for (const member of checked.ast.members) documentationOf(member)
  return checked
}

function codes(text: string): string[] {
  return [...new Set(survive(text).diagnostics.map(({ code }) => code))]
}

const PROJECT = 'P: project {}\n'

describe('no text causes an exception', () => {
  test('random bytes', () => {
    assert(
      property(uint8Array({ maxLength: 3000 }), (bytes) => {
        survive(new TextDecoder().decode(bytes))
        survive(Buffer.from(bytes).toString('latin1'))
      }),
      { numRuns: 200 },
    )
  })

  test('random characters, including unpaired surrogates', () => {
    assert(
      property(
        oneof(string({ unit: 'binary', maxLength: 500 }), string({ maxLength: 500 })),
        (text) => void survive(text),
      ),
      {
        numRuns: 300,
      },
    )
  })

  test('definitions, valid and with mistakes', () => {
    assert(
      property(oneof(definitionText, mutatedDefinition), (text) => void survive(text)),
      { numRuns: 500 },
    )
  })

  test('examples with mistakes: those that are still valid have a platform', () => {
    const examples = examplePaths()
      .map((path) => readFileSync(path, 'utf8'))
      .filter((text) => text.length < 20_000)
    assert(
      property(withSlips(constantFrom(...examples)), (text) => {
        const { ast, valid } = survive(text)
        if (valid) resolvePlatform(ast)
      }),
      { numRuns: 500 },
    )
  })

  test('NUL, byte order marks, surrogates', () => {
    expect(codes(`\ufeff${PROJECT}S: service {}`)).toEqual([])
    expect(codes(`${PROJECT}S: service {} \0`)).toEqual(['unexpected-character'])
    expect(codes(`${PROJECT}S: service {} \ud800`)).toEqual(['unexpected-character'])
    expect(codes(`${PROJECT}S: service {} // \ud800 \0`)).toEqual([])
  })
})

describe('no text takes too long', () => {
  test('ten megabytes', () => {
    expect(codes('x'.repeat(10_000_000))).toEqual(['definition-too-large'])
    expect(codes('\0'.repeat(10_000_000))).toEqual(['definition-too-large'])
  })

  test.each([
    ['one name', 'x'],
    ['control characters', '\0'],
    ['unpaired surrogates', '\udc00'],
    ['pairs', '😀'],
    ['opening braces', '{'],
    ['closing braces', '}'],
    ['brackets', '['],
    ['parentheses', '('],
    ['hashes', '#'],
    ['at signs', '@'],
    ['colons', ':'],
    ['semicolons', ';'],
    ['commas', ','],
    ['slashes', '/'],
    ['stars in a comment', '/*'],
    ['comments', '/**/'],
    ['documentation', '/// x\n'],
    ['quotes', '"'],
    ['digits', '9'],
    ['minus signs', '-'],
    ['blanks', ' '],
    ['line ends', '\r'],
    ['heads', 'A:service{'],
    ['heads without a colon', 'A{'],
    ['heads without a body', 'A:service '],
    ['structs', 'A:struct{\n'],
    ['attributes without an end', 'a:b\n'],
    ['wrong attributes', 'a:B(1,c:[]);'],
    ['lists', '#a[b,'],
    ['arguments', 'a:b(c:'],
    ['annotations', 'a:b@c '],
    ['numbers', '1e+'],
    ['letters of other alphabets', 'ж '],
    ['words', 'a '],
  ])('100,000 characters of %s', (_, unit) => {
    const repeated = unit.repeat(Math.floor(100_000 / unit.length))
    survive(repeated)
    survive(`${PROJECT}S: service {\n${repeated}`)
  })

  test('30,000 attributes', () => {
    const attributes = Array.from({ length: 30_000 }, (_, i) => `a${i}: int(${i}, 0) @unique;`).join('\n')
    expect(codes(`${PROJECT}S: service {\n${attributes}\n}`)).toEqual(['table-too-large'])
  })

  test('30,000 wrong attributes', () => {
    const attributes = Array.from({ length: 30_000 }, (_, i) => `a_${i}: Typ${i} @x;`).join('\n')
    expect(codes(`${PROJECT}S: service {\n${attributes}\n}`)).toEqual([
      'invalid-attribute-name',
      'unknown-type',
      'unknown-annotation',
      'too-many-diagnostics',
    ])
  })

  test('12,000 services that refer to each other, and as many misspelled', () => {
    const services = Array.from(
      { length: 12_000 },
      (_, i) => `Service${i}: service { a: Service${i + 1}; b: Servcie${i}; }`,
    )
    expect(codes(PROJECT + services.join('\n'))).toEqual(['unknown-type', 'too-many-diagnostics'])
  })

  test('two services that refer to each other 20,000 times', () => {
    const attributes = (target: string): string =>
      Array.from({ length: 20_000 }, (_, i) => `a${i}: ${target};`).join('')
    const { diagnostics } = survive(
      `${PROJECT}A: service {${attributes('B')}}\nB: service {${attributes('A')}}`,
    )
    expect(diagnostics).toHaveLength(10_001)
  })

  test('20,000 attributes and 20,000 metadata items in one block', () => {
    expect(codes(`${PROJECT}S: service {${'#readable(all);'.repeat(20_000)}}`)).toEqual([
      'duplicate-metadata',
      'too-many-diagnostics',
    ])
    const attributes = Array.from({ length: 20_000 }, (_, i) => `a${i}: int;`).join('')
    survive(`${PROJECT}S: service {${attributes}${'#writable(all);'.repeat(20_000)}}`)
  })

  test('a chain of 30,000 services, each of which closes a cycle', () => {
    const services = Array.from(
      { length: 30_000 },
      (_, i) => `A${i}: service { next: A${i + 1}; first: A0; }`,
    )
    expect(codes(PROJECT + services.join('\n'))).toEqual(['reference-cycle', 'too-many-diagnostics'])
  })

  test('20,000 wrong names of another length than any of 20,000 services', () => {
    const services = Array.from({ length: 20_000 }, (_, i) => `LongNameOfService${i}: service {}`).join('\n')
    const attributes = Array.from({ length: 20_000 }, (_, i) => `a${i}: T${i};`).join('')
    survive(`${PROJECT}${services}\nS: service {${attributes}}`)
  })

  test.each([17, 1000, 100_000])('blocks nested %i deep', (depth) => {
    const { diagnostics } = survive(
      `${PROJECT}${'S: service {'.repeat(depth)}${'}'.repeat(depth)}\nZ: service { z: odd; }`,
    )
    expect(diagnostics.filter(({ code }) => code === 'nesting-too-deep')).toHaveLength(1)
    expect(diagnostics.at(-1)?.code).toBe('unknown-type')
  })

  test.each([17, 1000, 100_000])('lists nested %i deep', (depth) => {
    const { diagnostics } = survive(
      `${PROJECT}S: service { #omit${'['.repeat(depth)}delete${']'.repeat(depth)}; z: odd; }`,
    )
    expect(diagnostics.map(({ code }) => code)).toEqual(['nesting-too-deep', 'unknown-type'])
  })

  test('long names everywhere', () => {
    const name = 'x'.repeat(400_000)
    expect(
      codes(
        `${PROJECT}S${name}: service { ${name}: S${name}; T: struct { a: ${name} @${name}; #${name}(${name}); } }`,
      ),
    ).toEqual(['name-too-long', 'reference-cycle', 'unknown-type', 'unknown-annotation', 'unknown-metadata'])
  })

  test('a name of three megabytes', () => {
    expect(codes(`${PROJECT}S${'x'.repeat(3_000_000)}: service {}`)).toEqual(['name-too-long'])
  })

  test('one line of four megabytes with a mistake every few characters', () => {
    survive(`${PROJECT}S: service {${'aé😀: x;'.repeat(400_000)}}`)
  })

  test('a comment that does not end', () => {
    expect(codes(`${PROJECT}S: service {}\n/*${'x\n'.repeat(1_000_000)}`)).toEqual(['unterminated-comment'])
  })

  test('formatting refuses or finishes', () => {
    for (const text of ['\0'.repeat(100_000), '{'.repeat(100_000), 'A: service { '.repeat(100_000)])
      expect(formatText(text).syntaxErrors.length).toBeGreaterThan(0)
  })
})
