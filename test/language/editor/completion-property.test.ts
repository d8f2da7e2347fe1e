import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Offer, plainText } from '../../../src/language/editor/completion/offer.ts'
import { offersAt } from '../../../src/language/editor/completion/offers.ts'
import { checkText } from '../../../src/language/parse.ts'
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
      let accepted = 0
      for (let offset = 0; offset <= text.length; offset++) {
        // Within a word or white space it is all the same.
        if (/^(\w{4}|\s{4})$/.test(text.slice(offset - 2, offset + 2))) continue
        for (const offer of offersAt(read(text), offset).offers) {
          accepted++
          const error = errorAfter(text, offer)
          if (error !== undefined) wrong.push(`${shown(text, offset)} ${offer.label}: ${error}`)
        }
      }
      expect(wrong).toEqual([])
      expect(accepted).toBeGreaterThan(text.length)
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
  const by = plainText(offer.snippet)
  const { start, end } = offer.span
  const at = start + by.length
  const edits = [{ at: start, end, text: by }, ...(offer.further ?? [])]
  const changed = edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((done, edit) => done.slice(0, edit.at) + edit.text + done.slice(edit.end ?? edit.at), text)
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

function shown(text: string, offset: number): string {
  return `${text.slice(Math.max(0, offset - 30), offset)}‸${text.slice(offset, offset + 15)}`
}
