import { readFileSync } from 'node:fs'
import { assert, property } from 'fast-check'
import {
  type AstNode,
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  createLangiumParser,
  EmptyFileSystem,
  inject,
} from 'langium'
import { describe, expect, test } from 'vitest'
import { PorticoGeneratedModule, PorticoGeneratedSharedModule } from '../../src/language/generated/module.ts'
import { read } from '../../src/language/syntax/read.ts'
import { definitionText, examplePaths, mutatedDefinition } from './definitions.ts'

const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), PorticoGeneratedSharedModule)
const services = inject(createDefaultCoreModule({ shared }), PorticoGeneratedModule)
const grammarParser = createLangiumParser(services)

/** What the grammar says of a text: the tree, without what Langium adds; `undefined` where it is no definition. */
function byGrammar(text: string): unknown {
  const { value, lexerErrors, parserErrors } = grammarParser.parse(text)
  return lexerErrors.length + parserErrors.length > 0 ? undefined : plain(value)
}

/** What the parser says of it; a missing semicolon is no matter of the grammar. */
function byParser(text: string): unknown {
  const { definition, findings } = read(text)
  return findings.inOrder(0).some(({ code }) => code !== 'missing-semicolon') ? undefined : plain(definition)
}

function plain(node: AstNode): unknown {
  const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    if (key === '$type') return [[key, value]]
    if (key.startsWith('$') || value === undefined) return []
    return [[key, plainValue(value)]]
  })
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null) return value
  return '$refText' in value ? value.$refText : plain(value as AstNode)
}

describe('the parser reads what the grammar says', () => {
  test.each(examplePaths())('%s', (path) => {
    const text = readFileSync(path, 'utf8')
    expect(byGrammar(text)).toBeDefined()
    expect(byParser(text)).toEqual(byGrammar(text))
  })

  test.each([
    '',
    ';;',
    '\ufeffP: project {};',
    'P: project { #a() #b[] #c([x,], y: [1, [z]],) };',
    'S: service { a: int(max: 1, -2k, .5, 1e-5, +3) @x @y; b: B\n#c }',
    '/**/ S: /* x */ service { /** d */ a: int // e\r /// f\n; /***/ }',
    'été: größe { ñ_1: $x-y; #ü(ö: ä) }',
    'S: service { service: project; struct: string(string: int); T: struct { S: struct {} } }',
    'a: int;',
    '#auth',
  ])('%j', (text) => {
    expect(byGrammar(text)).toBeDefined()
    expect(byParser(text)).toEqual(byGrammar(text))
  })

  test('any definition', () => {
    assert(
      property(definitionText, (text) => {
        expect(byParser(text)).toEqual(byGrammar(text))
      }),
      { numRuns: 200 },
    )
  })

  test('any definition with a slip in it: the parser accepts nothing that the grammar refuses', () => {
    assert(
      property(mutatedDefinition, (text) => {
        const parsed = byParser(text)
        if (parsed !== undefined) expect(parsed).toEqual(byGrammar(text))
      }),
      { numRuns: 500 },
    )
  })
})
