import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Offer, plainText } from '../../../src/language/editor/completion/offer.ts'
import { offersAt } from '../../../src/language/editor/completion/offers.ts'
import { checkText } from '../../../src/language/parse.ts'
import type { Definition } from '../../../src/language/generated/ast.ts'
import type { SyntaxNode } from '../../../src/language/syntax/nodes.ts'
import { read } from '../../../src/language/syntax/read.ts'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

/** Valid definitions to write in: the examples but the large one, and what they do not have. */
const DEFINITIONS: readonly (readonly [string, string])[] = [
  ...['tiny', 'stays', 'types', 'booking', 'chat', 'temple'].map((name) => [name, example(name)] as const),
  [
    'metadata',
    `Shop: project { #language(typescript); #provider(kube); #authMethod(method: email); #readable(by: all); }
User: service { name: string; #auth; #omit[identify, delete,]; #readable(all) }
Item: service {
  seller: User @serverSet; next: Item @server; code: string(10, 2) @unique;
  price: float(max: 10.5, min: 0.0, precision: 4) @client;
  Tag: struct { item: Item; of: Label @unique; text: string(80) }
  Label: struct { text: string; #omit([update]) };
  #uses[User]; #writable(by: all);
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

describe('accepting any offer brings no error', () => {
  for (const [name, text] of DEFINITIONS) {
    it(`in ${name}, at every place`, () => {
      expect(checkText(text).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
      const wrong: string[] = []
      let count = 0
      for (let offset = 0; offset <= text.length; offset++) {
        // Within a word or white space it is all the same.
        if (/^(\w{4}|\s{4})$/.test(text.slice(offset - 2, offset + 2))) continue
        for (const offer of offersAt(read(text), offset).offers) {
          count++
          const error = errorAfter(text, offer)
          if (error !== undefined) wrong.push(`${shown(text, offset)} ${offer.label}: ${error}`)
        }
      }
      expect(wrong).toEqual([])
      expect(count).toBeGreaterThan(text.length)
    }, 120_000)
  }

  for (const [name, text] of DEFINITIONS) {
    it(`in ${name}, while each declaration is being written`, () => {
      const wrong: string[] = []
      for (const [start, end] of declarations(text)) {
        const without = codes(text.slice(0, start) + text.slice(end))
        for (let cut = start; cut < end; cut++) {
          if (/^(\w{4}|\s{4})$/.test(text.slice(cut - 2, cut + 2))) continue
          const half = text.slice(0, cut) + text.slice(end)
          for (const offer of offersAt(read(half), cut).offers) {
            const brought = codes(accepted(half, offer)).filter((code) => !UNFINISHED.has(code))
            for (const code of without) if (brought.includes(code)) brought.splice(brought.indexOf(code), 1)
            if (brought.length > 0) wrong.push(`${shown(half, cut)} ${offer.label}: ${brought.join(', ')}`)
          }
        }
      }
      expect(wrong).toEqual([])
    }, 120_000)
  }

  it('in texts that end anywhere', () => {
    const text = DEFINITIONS.find(([name]) => name === 'metadata')?.[1] ?? ''
    for (let end = 0; end <= text.length; end++) {
      for (let offset = Math.max(0, end - 3); offset <= end; offset++)
        expect(() => offersAt(read(text.slice(0, end)), offset)).not.toThrow()
    }
  })
})

function example(name: string): string {
  const directory = join(EXAMPLES, name)
  const file = readdirSync(directory).find((candidate) => /\.(portico|temple)$/.test(candidate))
  return readFileSync(join(directory, file ?? ''), 'utf8')
}

/** The first error that a valid text has after accepting an offer, but for what is left to be written at `$1`. */
function errorAfter(text: string, offer: Offer): string | undefined {
  const hole = /\$1(?!\d)/.exec(offer.snippet)
  const isName = offer.kind === 'parameter'
  const filled = isName && (hole !== null || offer.snippet.endsWith(': '))
  const { start } = offer.span
  const at = start + plainText(offer.snippet).length
  const changed = accepted(text, offer)
  const shift = (offer.further ?? []).reduce(
    (sum, edit) => sum + (edit.at < start ? edit.text.length - ((edit.end ?? edit.at) - edit.at) : 0),
    0,
  )
  const errors = checkText(changed).diagnostics.filter(({ severity }) => severity === 'error')
  if (!filled) return errors[0]?.message
  // The value is what is unfinished.
  const others = errors.filter(
    ({ range }) => range.start.offset < start + shift || range.start.offset > at + shift + 1,
  )
  return others[0]?.message
}

/** What an unfinished declaration has, whatever is offered in it. */
const UNFINISHED: ReadonlySet<string> = new Set([
  'unexpected-token',
  'missing-token',
  'missing-semicolon',
  'missing-value',
  'unclosed-block',
])

/** Where attributes and metadata stand, with their `;`. */
function declarations(text: string): [number, number][] {
  const { tree, definition } = read(text)
  const places: [number, number][] = []
  const add = (block: Definition['blocks'][number]): void => {
    for (const member of block.members) {
      const { $first, $last } = member as unknown as SyntaxNode
      if (member.$type === 'Block') add(member)
      else places.push([tree.tokens.start($first), tree.tokens.end($last)])
    }
  }
  for (const block of definition.blocks) add(block)
  return places
}

function codes(text: string): string[] {
  return checkText(text)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code }) => code)
}

function accepted(text: string, { span, snippet, further = [] }: Offer): string {
  const edits = [{ at: span.start, end: span.end, text: plainText(snippet) }, ...further]
  return edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((done, edit) => done.slice(0, edit.at) + edit.text + done.slice(edit.end ?? edit.at), text)
}

function shown(text: string, offset: number): string {
  return `${text.slice(Math.max(0, offset - 30), offset)}‸${text.slice(offset, offset + 15)}`
}
