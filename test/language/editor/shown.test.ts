import { readFileSync } from 'node:fs'
import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lensesOf } from '../../../src/language/editor/code-lenses.ts'
import { offersAt } from '../../../src/language/editor/completion/offers.ts'
import { referencesTo } from '../../../src/language/editor/definition-facts.ts'
import { hoverAt } from '../../../src/language/editor/hover.ts'
import { hintsIn } from '../../../src/language/editor/inlay-hints.ts'
import { changesBetween, colouredTokens, encoded } from '../../../src/language/editor/semantic-tokens.ts'
import { DEFAULT_SETTINGS } from '../../../src/language/editor/settings.ts'
import { signatureAt } from '../../../src/language/editor/signature-help.ts'
import { checkText } from '../../../src/language/parse.ts'
import { read } from '../../../src/language/syntax/read.ts'
import { resolvePlatform } from '../../../src/model/resolve.ts'
import { examplePaths, mutatedDefinition } from '../definitions.ts'

const TEXTS = examplePaths().map((name) => ({ name, text: readFileSync(name, 'utf8') }))

describe('what is shown', () => {
  it('is found in any text at any offset', () => {
    assert(
      property(
        mutatedDefinition,
        integer({ min: 0, max: 10_000 }),
        integer({ min: 0, max: 10_000 }),
        (whole, cut, at) => {
          const text = whole.slice(0, cut)
          const definition = read(text)
          const offset = at % (text.length + 1)
          offersAt(definition, offset)
          signatureAt(definition, offset)
          const hover = hoverAt(definition, offset)
          if (hover !== undefined) expect(hover.start <= offset && offset <= hover.end).toBe(true)
          lensesOf(definition, DEFAULT_SETTINGS.codeLens)
          hintsIn(definition, { start: 0, end: text.length }, DEFAULT_SETTINGS.inlayHints)
          let behind = 0
          for (const { start, end } of colouredTokens(definition)) {
            expect(start).toBeGreaterThanOrEqual(behind)
            expect(end).toBeGreaterThan(start)
            behind = end
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('of endpoints and access is what the platform has', () => {
    for (const { name, text } of TEXTS) {
      const { ast, valid } = checkText(text)
      if (!valid) continue
      const platform = resolvePlatform(ast)
      const definition = read(text)
      for (const { entity, structs, readable, writable } of platform.services) {
        for (const { names, endpoints } of [entity, ...structs]) {
          const at = new RegExp(`\\b${names.declared}: (service|struct)`).exec(text)?.index ?? -1
          const markdown = hoverAt(definition, at)?.markdown ?? ''
          const listed = [...markdown.matchAll(/^- (\w+): `(\w+) ([^`]*)`/gm)].map(([, ...parts]) => parts)
          expect(listed, `${name} ${names.declared}`).toEqual(
            endpoints.map(({ operation, method, paths }) => [operation, method, paths[0]]),
          )
        }
        const at = text.indexOf('{', new RegExp(`\\b${entity.names.declared}: service`).exec(text)?.index)
        const hint = hintsIn(definition, { start: at, end: at + 1 }, DEFAULT_SETTINGS.inlayHints)[0]
        if (hint?.kind !== 'access') continue
        for (const [word, by] of [...hint.label.matchAll(/(\w+) by: (\w+)/g)].map(([, ...parts]) => parts))
          expect(by, `${name} ${entity.names.declared}`).toBe(word === 'readable' ? readable : writable)
      }
    }
  })

  it('of references counts each of them', () => {
    const text =
      'P: project {} A: service { b: B; #uses[C]; } B: service { S: struct { b: B; t: T; } T: struct {} } C: service {}'
    const definition = read(text)
    const titles = lensesOf(definition, { references: true, endpoints: false, commands: false })
    expect(titles.map(({ at, end, title }) => `${text.slice(at, end)} ${title}`)).toEqual([
      'A 0 references',
      'B 2 references',
      'S 0 references',
      'T 1 reference',
      'C 1 reference',
    ])
    expect([...referencesTo(definition).values()].flat()).toHaveLength(3)
  })

  it('of colours changes by what an edit changed', () => {
    const [before = [], after = []] = ['a: int;', 'a: int; b: bool @unique;'].map((members) => {
      const definition = read(`P: project {} S: service { ${members} } T: service {}`)
      return encoded(definition, colouredTokens(definition))
    })
    const edits = changesBetween(before, after)
    const data = [...before]
    for (const edit of edits) data.splice(edit.start, edit.deleteCount, ...(edit.data ?? []))
    expect(data).toEqual(after)
    expect(changesBetween(after, after)).toEqual([])
  })
})
