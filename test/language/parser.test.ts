import { readFileSync } from 'node:fs'
import { assert, asyncProperty, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkParsed, checkText, porticoServices, readText } from '../../src/language/parse.ts'
import { hundred } from '../../scripts/hundred-definition.ts'
import { definitionText, examplePaths, mutatedDefinition } from './definitions.ts'
import { byLangium, described, wrongLinks } from './plain-langium.ts'

/** The same for our parser and linker. */
function byPortico(text: string): unknown {
  const result = readText(text)
  return result.hasSyntaxErrors ? undefined : described(result.value)
}

describe("the tree, its links and its positions are those of Langium's parser and linker", () => {
  test.each(examplePaths())('%s', async (path) => {
    const text = readFileSync(path, 'utf8')
    const expected = await byLangium(text)
    expect(expected).toBeDefined()
    expect(byPortico(text)).toEqual(expected)
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
    'import "a.portico"; import "b.portico"\nS: service { s: S; T: struct { t: T; s: S; u: U; } t: T; }',
    'S: service { a: int; #enumerable(by: a); #unique[a, b, a]; T: struct { b: int; #unique[b, a]; } }',
    'S: service { a: S; } S: service { b: S; } P: project { p: P; } X: odd { x: X; s: S; } T: struct { s: S; }',
  ])('%j', async (text) => {
    const expected = await byLangium(text)
    expect(expected).toBeDefined()
    expect(byPortico(text)).toEqual(expected)
  })

  test('any definition', async () => {
    await assert(
      asyncProperty(definitionText, async (text) => {
        expect(byPortico(text)).toEqual(await byLangium(text))
      }),
      { numRuns: 100 },
    )
  })

  test("any definition with a mistake: rejected exactly if Langium's parser rejects it", async () => {
    await assert(
      asyncProperty(mutatedDefinition, async (text) => {
        expect(byPortico(text)).toEqual(await byLangium(text))
      }),
      { numRuns: 200 },
    )
  })

  test('the links of what remains of any definition with a mistake', () => {
    assert(
      property(mutatedDefinition, (text) => {
        expect(wrongLinks(readText(text).value)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('parsing a text again', () => {
  const { DefinitionParser } = porticoServices().parser

  test('returns the same as parsing it for the first time, whatever was edited', () => {
    let text = hundred(4)
    let result = DefinitionParser.parse(text)
    let seed = 1
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    for (let edit = 0; edit < 250; edit++) {
      const at = random(text.length)
      const removed = random(4) === 0 ? random(8) : 0
      text = text.slice(0, at) + (PIECES[random(PIECES.length)] ?? '') + text.slice(at + removed)
      if (edit % 40 === 39) text = hundred(4)
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
    for (let edit = 0; edit < 200; edit++) {
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

const PIECES = [...'{};:()[],@# \nxX5'.split(''), '/*', '*/', '//', ...'=?"'.split(''), '"{"']
