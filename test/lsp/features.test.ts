import { accessText } from '../../src/access.ts'
import { readFileSync } from 'node:fs'
import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeLensesIn } from '../../src/lsp/code-lenses.ts'
import { completionAt } from '../../src/lsp/completion/candidates.ts'
import { referencesTo } from '../../src/lsp/references.ts'
import { hoverAt } from '../../src/lsp/hover.ts'
import { inlayHintsIn } from '../../src/lsp/inlay-hints.ts'
import { tokenEdits, semanticTokensIn, encodeTokens } from '../../src/lsp/semantic-tokens.ts'
import { DEFAULT_SETTINGS } from '../../src/lsp/editor-settings.ts'
import { signatureAt } from '../../src/lsp/signature-help.ts'
import { isService } from '../../src/language/generated/ast.ts'
import { checkText, porticoServices, readText } from '../../src/language/parse.ts'
import { resolvePlatform } from '../../src/model/resolve.ts'
import { examplePaths, mutatedDefinition } from '../language/definitions.ts'

const TEXTS = examplePaths().map((name) => ({ name, text: readFileSync(name, 'utf8') }))

describe('the information that editors show', () => {
  it('is found in any text at any offset', () => {
    assert(
      property(
        mutatedDefinition,
        integer({ min: 0, max: 10_000 }),
        integer({ min: 0, max: 10_000 }),
        (whole, cut, at) => {
          const text = whole.slice(0, cut)
          const definition = readText(text)
          const offset = at % (text.length + 1)
          completionAt(definition, offset, porticoServices())
          signatureAt(definition, offset, porticoServices())
          const hover = hoverAt(definition, offset)
          if (hover !== undefined) expect(hover.start <= offset && offset <= hover.end).toBe(true)
          codeLensesIn(definition, DEFAULT_SETTINGS.codeLens)
          inlayHintsIn(definition, { start: 0, end: text.length }, DEFAULT_SETTINGS.inlayHints)
          let last = 0
          for (const { start, end } of semanticTokensIn(definition)) {
            expect(start).toBeGreaterThanOrEqual(last)
            expect(end).toBeGreaterThan(start)
            last = end
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('about endpoints and access matches the platform', () => {
    for (const { name, text } of TEXTS) {
      const { ast, valid } = checkText(text)
      expect(valid, name).toBe(true)
      if (!valid) continue
      const platform = resolvePlatform(ast)
      const definition = readText(text)
      for (const { entity, structs, customEndpoints, readable, writable } of platform.services) {
        const own = customEndpoints.map(({ names, method, path }) => [names.camel, method, path])
        for (const { names, endpoints } of [entity, ...structs]) {
          const at = new RegExp(`\\b${names.declared}: (service|struct)`).exec(text)?.index ?? -1
          const markdown = hoverAt(definition, at)?.markdown ?? ''
          const listed = [...markdown.matchAll(/^- (\w+): `(\w+) ([^`]*)`/gm)].map(([, ...parts]) => parts)
          expect(listed, `${name} ${names.declared}`).toEqual([
            ...endpoints.map(({ operation, method, paths }) => [operation, method, paths[0]]),
            ...(names === entity.names ? own : []),
          ])
        }
        const at = text.indexOf('{', new RegExp(`\\b${entity.names.declared}: service`).exec(text)?.index)
        const hint = inlayHintsIn(definition, { start: at, end: at + 1 }, DEFAULT_SETTINGS.inlayHints)[0]
        if (hint?.kind !== 'access') continue
        for (const [word, by] of [...hint.label.matchAll(/(\w+) by: (\w+)/g)].map(([, ...parts]) => parts))
          expect(by, `${name} ${entity.names.declared}`).toBe(
            accessText(word === 'readable' ? readable : writable),
          )
      }
    }
  })

  it('about references counts each of them', () => {
    const text =
      'P: project {} A: service { b: B; #uses[C]; } B: service { S: struct { b: B; t: T; } T: struct {} } C: service {}'
    const definition = readText(text)
    const titles = codeLensesIn(definition, { references: true, endpoints: false, commands: false })
    expect(titles.map(({ at, end, title }) => `${text.slice(at, end)} ${title}`)).toEqual([
      'A 0 references',
      'B 2 references',
      'S 0 references',
      'T 1 reference',
      'C 1 reference',
    ])
    const [b] = definition.value.members.filter(isService).slice(1)
    expect(b && referencesTo(definition, b)).toHaveLength(2)
  })

  it('of colors changes by what an edit changed', () => {
    const [before = [], after = []] = ['a: int;', 'a: int; b: bool @unique;'].map((members) => {
      const definition = readText(`P: project {} S: service { ${members} } T: service {}`)
      return encodeTokens(definition, semanticTokensIn(definition))
    })
    const edits = tokenEdits(before, after)
    const data = [...before]
    for (const edit of edits) data.splice(edit.start, edit.deleteCount, ...(edit.data ?? []))
    expect(data).toEqual(after)
    expect(tokenEdits(after, after)).toEqual([])
  })
})
