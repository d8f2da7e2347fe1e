import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type Diagnostic } from 'vscode-languageserver-protocol/node'
import { hundred } from '../../scripts/hundred-definition.ts'
import { SYNTAX } from '../../src/diagnostics/entries/syntax.ts'
import { toProtocol } from '../../src/lsp/diagnostics.ts'
import { withNotImportedHints } from '../../src/lsp/not-imported.ts'
import { checkText } from '../../src/language/parse.ts'
import { definitionIndex } from '../../src/language/validation/definition-index.ts'
import { type Client, startServer } from './harness.ts'
import { randomNumbers } from './random.ts'
import { mistakesInResponse, REQUESTS } from './responses.ts'

const example = (name: string): string =>
  readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8')

/** Examples of all sizes, from an empty text to a hundred services. */
const EXAMPLES: readonly string[] = [
  '',
  example('tiny/tiny.portico'),
  example('stays/stays.portico'),
  example('chat/chat.portico'),
  example('booking/booking.portico'),
  example('types/types.portico'),
  example('temple/library.temple'),
  example('stays/stays.portico').replaceAll('\n', '\r\n'),
  hundred(20),
  hundred(100),
]
const SNIPPETS = [
  ...';{}[]()#@:,"\\/*\n\r\t é😀\u0000'.split(''),
  '/*',
  '*/',
  '///',
  '\r\n',
  'Home',
  'Host: service {',
  'x: int(max: 1, min: 2);',
  '#uses[Home, Home]',
  '#auth;',
  '#authMethod(email);',
  '@server',
  'S: struct {',
  'a: b',
  '[[[[[[[[[[[[[[[[[[[[',
  '999999999999999999999G',
]
/** Longer texts, in code units, are replaced by a new one. */
const LONGEST = 40_000
/** Most edits of one text before the next one. */
const LONGEST_TURN = 250
/** In bytes. About 250 MB are usual, and more where a busy machine delays collections; each kept text would add its part. */
const MOST_MEMORY = 400e6

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Makes random edits of open definitions. After each, the server answers a request, and its diagnostics are those
 * of a fresh reading of the same text; at the end nothing was logged and memory is what one definition needs.
 */
export async function fuzz(edits: number, seed: number): Promise<void> {
  const random = randomNumbers(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const longestTurn = Math.min(LONGEST_TURN, Math.ceil(edits / EXAMPLES.length))
  const client = await startServer({ isProcess: true, initializationOptions: { diagnosticsDelay: 0 } })
  try {
    for (let done = 0, index = 0; done < edits; index++) {
      const uri = await client.open(EXAMPLES[index % EXAMPLES.length] ?? '')
      const undo: Edit[] = []
      let isBroken = false
      for (let turn = 0; turn < longestTurn && done < edits; turn++, done++) {
        const text = client.document(uri).getText()
        // Mostly back to a text that means something, or all of it would be syntax errors soon.
        const undone = random() < (isBroken ? 0.6 : 0.15) ? undo.pop() : undefined
        const edit = undone ?? randomEdit(text, random, pick)
        if (undone === undefined)
          undo.push({
            start: edit.start,
            end: edit.start + edit.text.length,
            text: text.slice(edit.start, edit.end),
          })
        await client.edit(uri, edit.text, edit.start, edit.end)
        const diagnostics = await expectTruth(client, uri, `edit ${done} of seed ${seed}`)
        isBroken = diagnostics.some(({ code }) => Object.hasOwn(SYNTAX, String(code)))
        await expectAnswer(client, uri, diagnostics, random, pick)
        if (client.document(uri).getText().length > LONGEST) break
      }
      await client.close(uri)
    }
    expect(residentBytes(client)).toBeLessThan(MOST_MEMORY)
  } finally {
    expect(await client.stop()).toBe(0)
  }
  expect(client.complaints).toEqual([])
}

function randomEdit(text: string, random: () => number, pick: <T>(list: readonly T[]) => T): Edit {
  const start = Math.floor(random() * (text.length + 1))
  const kind = random()
  if (kind < 0.3) return { start, end: start, text: pick(SNIPPETS) }
  if (kind < 0.6) return wordEdit(text, pick) ?? { start, end: start, text: 'Home: service {}' }
  const end = Math.min(text.length, start + Math.floor(random() ** 4 * 400) + 1)
  if (kind < 0.9) return { start, end, text: '' }
  const other = pick(EXAMPLES)
  const from = Math.floor(random() * other.length)
  return { start, end: start, text: other.slice(from, from + Math.floor(random() ** 2 * 2000)) }
}

/** A word, or a line, in place of another: texts stay whole and mean something else. */
function wordEdit(text: string, pick: <T>(list: readonly T[]) => T): Edit | undefined {
  const parts = Array.from(text.matchAll(pick([/[\w#@]+/g, /\w+/g, /[^\n]+\n/g])))
  if (parts.length === 0) return undefined
  const { index, 0: found } = pick(parts)
  return { start: index, end: index + found.length, text: pick(['', pick(parts)[0]]) }
}

async function expectTruth(client: Client, uri: string, what: string): Promise<readonly Diagnostic[]> {
  const document = client.document(uri)
  const { parseResult, diagnostics, ast } = checkText(document.getText())
  const shown =
    definitionIndex(ast).project === undefined ? withNotImportedHints(parseResult, diagnostics) : diagnostics
  const expected = toProtocol(shown, ({ start, end }) => ({
    uri,
    range: { start: document.positionAt(start), end: document.positionAt(end) },
  }))
  // What has no value does not travel.
  const found = await client.diagnostics(uri)
  expect(found, what).toEqual(JSON.parse(JSON.stringify(expected)))
  client.published.length = 0
  return found
}

async function expectAnswer(
  client: Client,
  uri: string,
  diagnostics: readonly Diagnostic[],
  random: () => number,
  pick: <T>(list: readonly T[]) => T,
): Promise<void> {
  const document = client.document(uri)
  const offset = Math.floor(random() * (document.getText().length + 1))
  const position = document.positionAt(offset)
  const range = diagnostics.length === 0 ? { start: position, end: position } : pick(diagnostics).range
  expect(await mistakesInResponse(client, uri, pick(REQUESTS), offset, range)).toEqual([])
}

function residentBytes(client: Client): number {
  const [, pages] = readFileSync(`/proc/${client.child.pid}/statm`, 'utf8').split(' ')
  return Number(pages) * 4096
}
