import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts'
import { type Block, isBlock } from '../../../src/language/generated/ast.ts'
import { spanOf } from '../../../src/language/nodes.ts'
import { checkParsed, porticoServices, readText } from '../../../src/language/parse.ts'
import type { DefinitionParseResult } from '../../../src/language/parse-result.ts'
import { type CompletionCandidate, plainText } from '../../../src/lsp/completion/candidate.ts'
import { completionAt } from '../../../src/lsp/completion/candidates.ts'
import { signatureAt } from '../../../src/lsp/signature-help.ts'
import { wholeDefinition } from '../../example-definition.ts'
import { mutatedDefinition } from '../../language/definitions.ts'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

/** Valid definitions to write in: the examples but the large one, and what they do not have. */
const DEFINITIONS: readonly (readonly [string, string])[] = [
  ...['tiny', 'stays', 'types', 'booking', 'chat', 'temple'].map((name) => [name, example(name)] as const),
  [
    'metadata',
    `Shop: project { #language(typescript); #provider(kube); #authMethod(method: email); #readable(by: all); }
User: service { name: string; #auth; #omit[identify, delete,]; #readable(all) }
Item: service {
  seller: User @serverSet; next: Item @server; code: string(10, 2) @unique @was(label);
  price: float(max: 10.5, min: 0.0, precision: 4) @client;
  Tag: struct { item: Item; of: Label @unique; text: string(80) }
  Label: struct { text: string; #omit([update]) };
  #uses[User]; #writable(by: all); #was(Thing);
}`,
  ],
  [
    'open',
    `Open: project { #readable(by: all); #writable(by: all); }
A: service { b: B; #language(go); }
B: service { c: C @serverSet; }
C: service { a: A; n: int(100, 1, precision: 1); #omit[create]; #enumerable; }`,
  ],
]

describe('accepting any candidate causes no error', () => {
  for (const [name, text] of DEFINITIONS) {
    it(`in ${name}, at every offset`, () => {
      expect(errorsIn(text)).toEqual([])
      const wrong: string[] = []
      let count = 0
      for (let offset = 0; offset <= text.length; offset++) {
        // Within a word or white space it is all the same.
        if (/^(\w{4}|\s{4})$/.test(text.slice(offset - 2, offset + 2))) continue
        for (const candidate of completionAt(readText(text), offset, porticoServices()).candidates) {
          count++
          const error = errorAfter(text, candidate)
          if (error !== undefined) wrong.push(`${shown(text, offset)} ${candidate.label}: ${error}`)
        }
      }
      expect(wrong).toEqual([])
      expect(count).toBeGreaterThan(text.length)
    }, 120_000)
  }

  for (const [name, text] of DEFINITIONS) {
    it(`in ${name}, while each declaration is typed`, () => {
      const wrong: string[] = []
      for (const [start, end] of declarations(text)) {
        const without = codes(text.slice(0, start) + text.slice(end))
        for (let cut = start; cut < end; cut++) {
          if (/^(\w{4}|\s{4})$/.test(text.slice(cut - 2, cut + 2))) continue
          const half = text.slice(0, cut) + text.slice(end)
          for (const candidate of completionAt(readText(half), cut, porticoServices()).candidates) {
            // What was typed in full is never replaced, even if it is an error.
            if (candidate.label === half.slice(candidate.span.start, candidate.span.end)) continue
            const brought = codes(accepted(half, candidate)).filter(
              (code) => !UNFINISHED.has(code) && code !== candidate.awaits,
            )
            for (const code of without) if (brought.includes(code)) brought.splice(brought.indexOf(code), 1)
            if (brought.length > 0)
              wrong.push(`${shown(half, cut)} ${candidate.label}: ${brought.join(', ')}`)
          }
        }
      }
      expect(wrong).toEqual([])
    }, 120_000)
  }

  it('in any text, at any offset', () => {
    assert(
      property(mutatedDefinition, integer({ min: 0 }), integer({ min: 0 }), (whole, cut, at) => {
        const parseResult = readText(whole.slice(0, cut % (whole.length + 1)))
        const offset = at % (parseResult.text.length + 1)
        for (const { additionalEdits = [], span } of completionAt(parseResult, offset, porticoServices())
          .candidates) {
          expect(span.start <= offset && offset <= span.end).toBe(true)
          for (const { start, end } of additionalEdits) expect(start <= end).toBe(true)
        }
        const signature = signatureAt(parseResult, offset, porticoServices())
        if (signature?.active !== undefined) expect(signature.parameters[signature.active]).toBeDefined()
      }),
      { numRuns: 500 },
    )
  })

  it('in texts that end anywhere', () => {
    const text = DEFINITIONS.find(([name]) => name === 'metadata')?.[1] ?? ''
    for (let end = 0; end <= text.length; end++) {
      for (let offset = Math.max(0, end - 3); offset <= end; offset++)
        expect(() => completionAt(readText(text.slice(0, end)), offset, porticoServices())).not.toThrow()
    }
  })
})

function example(name: string): string {
  const directory = join(EXAMPLES, name)
  const file = readdirSync(directory).find((candidate) => /\.(portico|temple)$/.test(candidate))
  return wholeDefinition(join(directory, file ?? ''))
}

/** The first error of a valid text after accepting a candidate, but for what is left to be written at `$1`. */
function errorAfter(text: string, candidate: CompletionCandidate): string | undefined {
  const { additionalEdits = [], kind, snippet, span } = candidate
  const isUnfinished = kind === 'parameter' && (/\$1(?!\d)/.test(snippet) || snippet.endsWith(': '))
  const shift = additionalEdits
    .filter(({ start }) => start < span.start)
    .reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0)
  const from = span.start + shift
  const to = from + plainText(snippet).length + 1
  const errors = errorsIn(accepted(text, candidate)).filter(({ code }) => code !== candidate.awaits)
  if (!isUnfinished) return errors[0]?.message
  // The value is what is unfinished.
  return errors.find(({ range }) => range.start.offset < from || range.start.offset > to)?.message
}

/** What an unfinished declaration has, whatever is offered in it. */
const UNFINISHED: ReadonlySet<string> = new Set([
  'unexpected-token',
  'missing-token',
  'missing-semicolon',
  'missing-value',
  'unclosed-block',
])

/** Where attributes and metadata are, with their `;`. */
function declarations(text: string): [number, number][] {
  const found: [number, number][] = []
  const { tokens, value } = readText(text)
  const add = (block: Block): void => {
    for (const member of block.members) {
      if (isBlock(member)) {
        add(member)
        continue
      }
      const { start, end } = spanOf(member)
      const next = tokens.firstFrom(end)
      found.push([start, tokens.image(next) === ';' ? tokens.end(next) : end])
    }
  }
  for (const member of value.members) if (isBlock(member)) add(member)
  return found
}

function codes(text: string): string[] {
  return errorsIn(text).map(({ code }) => code)
}

let segments: DefinitionParseResult['segments'] = []

/** The errors of a text, which mostly is the one before with a change. */
function errorsIn(text: string): Diagnostic[] {
  const parseResult = porticoServices().parser.DefinitionParser.reparse(text, segments)
  segments = parseResult.segments
  return checkParsed(parseResult).diagnostics.filter(({ severity }) => severity === 'error')
}

function accepted(text: string, { span, snippet, additionalEdits = [] }: CompletionCandidate): string {
  return [{ ...span, text: plainText(snippet) }, ...additionalEdits]
    .toSorted((a, b) => b.start - a.start)
    .reduce((done, edit) => done.slice(0, edit.start) + edit.text + done.slice(edit.end), text)
}

function shown(text: string, offset: number): string {
  return `${text.slice(Math.max(0, offset - 30), offset)}‸${text.slice(offset, offset + 15)}`
}
