import { readFileSync } from 'node:fs'
import { assert, property } from 'fast-check'
import {
  type AstNode,
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  createLangiumParser,
  DefaultTokenBuilder,
  EmptyFileSystem,
  inject,
  type LangiumCoreServices,
  type Module,
} from 'langium'
import type { TokenType } from 'chevrotain'
import { describe, expect, test } from 'vitest'
import { isDefinition } from '../../src/language/generated/ast.ts'
import { PorticoGeneratedModule, PorticoGeneratedSharedModule } from '../../src/language/generated/module.ts'
import { checkParsed, checkText, porticoServices, readText } from '../../src/language/parse.ts'
import { hundred } from '../../scripts/hundred-definition.ts'
import { definitionText, examplePaths, mutatedDefinition } from './definitions.ts'

/** Langium's own tokens, and what makes the language reserve no word. */
class UnreservedTokenBuilder extends DefaultTokenBuilder {
  override buildTokens(...given: Parameters<DefaultTokenBuilder['buildTokens']>): TokenType[] {
    const tokens = super.buildTokens(...given) as TokenType[]
    const identifier = tokens.filter(({ name }) => name === 'ID')
    for (const token of tokens)
      if (typeof token.PATTERN === 'string' && /^\w/.test(token.PATTERN))
        Object.assign(token, { CATEGORIES: identifier, LONGER_ALT: identifier })
    return tokens
  }
}

// Langium as it comes, with its own lexer and parser.
const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), PorticoGeneratedSharedModule)
const plainModule: Module<LangiumCoreServices, object> = {
  parser: { TokenBuilder: () => new UnreservedTokenBuilder() },
}
const services = inject(createDefaultCoreModule({ shared }), PorticoGeneratedModule, plainModule)
const plainParser = createLangiumParser(services)

/** What Langium's parser makes of a text; `undefined` where it is no definition. */
function byLangium(text: string): unknown {
  const { value, lexerErrors, parserErrors } = plainParser.parse(text)
  return lexerErrors.length + parserErrors.length > 0 ? undefined : described(value)
}

/** What ours makes of it. */
function byPortico(text: string): unknown {
  const result = readText(text)
  return result.hasSyntaxErrors ? undefined : described(result.value)
}

function isEmpty(node: AstNode): boolean {
  return isDefinition(node) && node.members.length === 0
}

/** A node with its properties and its place. */
function described(node: AstNode): unknown {
  const { $cstNode } = node
  const properties = Object.entries(node).flatMap(([key, value]): [string, unknown][] =>
    key.startsWith('$') || value === undefined ? [] : [[key, describedValue(value)]],
  )
  return {
    $type: node.$type,
    // A definition without declarations is nowhere, or in its comments.
    $place: isEmpty(node) ? undefined : [$cstNode?.offset, $cstNode?.end, $cstNode?.range],
    ...Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function describedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describedValue)
  if (typeof value !== 'object' || value === null) return value
  return '$refText' in value ? value.$refText : described(value as AstNode)
}

describe("the parser returns the same tree as Langium's parser", () => {
  test.each(examplePaths())('%s', (path) => {
    const text = readFileSync(path, 'utf8')
    expect(byLangium(text)).toBeDefined()
    expect(byPortico(text)).toEqual(byLangium(text))
  })

  test.each([
    '',
    '// only a comment',
    ';;',
    '\ufeffP: project {};',
    'P: project { #a() #b[] #c([x,], y: [1, [z]],) };',
    'S: service { a: int(max: 1, -2k, .5, 1e-5, +3) @x @y; b: B\n#c }',
    'S: service { a: int(5)? = 3 @x; b: T ? = now; c: string="é \\" { } // /*"; d: e = -2k }',
    '/**/ S: /* x */ service { /** d */ a: int // e\r /// f\n; /***/ }',
    'été: größe { ñ_1: $x-y; #ü(ö: ä) }',
    'S: service { service: project; struct: string(string: int); T: struct { S: struct {} } }',
    'S: service { #uses[S, T,]; #uses(services: [S]); #uses(5, [[S]]); #uses }',
    'a: int;',
    '#auth',
  ])('%j', (text) => {
    expect(byLangium(text)).toBeDefined()
    expect(byPortico(text)).toEqual(byLangium(text))
  })

  test('any definition', () => {
    assert(
      property(definitionText, (text) => {
        expect(byPortico(text)).toEqual(byLangium(text))
      }),
      { numRuns: 100 },
    )
  })

  test("any definition with a mistake: rejected exactly if Langium's parser rejects it", () => {
    assert(
      property(mutatedDefinition, (text) => {
        expect(byPortico(text)).toEqual(byLangium(text))
      }),
      { numRuns: 200 },
    )
  })
})

describe('parsing a text again', () => {
  const { DefinitionParser } = porticoServices().parser

  test('returns the same as parsing it for the first time, whatever was edited', () => {
    let text = hundred(8)
    let result = DefinitionParser.parse(text)
    let seed = 1
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    for (let edit = 0; edit < 400; edit++) {
      const at = random(text.length)
      const removed = random(4) === 0 ? random(8) : 0
      text = text.slice(0, at) + (PIECES[random(PIECES.length)] ?? '') + text.slice(at + removed)
      if (edit % 40 === 39) text = hundred(8)
      result = DefinitionParser.reparse(text, result.segments)
      const fresh = DefinitionParser.parse(text)
      expect(described(result.value), text).toEqual(described(fresh.value))
      const errors = ({ segments }: typeof fresh) => segments.map(({ syntaxErrors }) => syntaxErrors)
      expect(errors(result)).toEqual(errors(fresh))
    }
  })

  test('has the same diagnostics as the first time, whatever was renamed', () => {
    let result = DefinitionParser.parse(hundred(8))
    const found = new Set<string>()
    let seed = 1
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    for (let edit = 0; edit < 400; edit++) {
      const words = [...result.text.matchAll(/\w+/g)]
      const [at, by] = [words[random(words.length)], words[random(words.length)]]
      const text =
        edit % 10 === 9
          ? hundred(8)
          : `${result.text.slice(0, at?.index)}${by?.[0]}${result.text.slice((at?.index ?? 0) + (at?.[0].length ?? 0))}`
      result = DefinitionParser.reparse(text, result.segments)
      const { diagnostics } = checkParsed(result)
      expect(diagnostics, text).toEqual(checkText(text).diagnostics)
      for (const { code } of diagnostics) found.add(code)
    }
    expect(found.size).toBeGreaterThan(15)
  })

  test('keeps unchanged segments', () => {
    const text = hundred(20)
    const before = DefinitionParser.parse(text)
    const kept = new Set(before.segments)
    const after = DefinitionParser.reparse(
      text.replace('service {', 'service {\n  extra: int;'),
      before.segments,
    )
    expect(after.segments.filter((segment) => !kept.has(segment))).toHaveLength(1)
  })
})

const PIECES = [
  '{',
  '}',
  ';',
  ':',
  '(',
  ')',
  '[',
  ']',
  ',',
  '@',
  '#',
  ' ',
  '\n',
  'x',
  'X',
  '5',
  '/*',
  '*/',
  '//',
  '=',
  '?',
  '"',
  '"{"',
]
