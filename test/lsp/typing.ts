import { globSync, readFileSync } from 'node:fs'
import { randomNumbers } from './random.ts'

/** A text while a service is typed into it. */
export interface TypingState {
  readonly text: string
  /** What has been typed of the service. */
  readonly typed: string
  /** The line of the cursor, from 1. */
  readonly line: number
}

/**
 * The states of an example while one of its services is typed, character by character.
 *
 * @param closesBraces whether the editor closes what is opened, as VS Code does: `}` on a line of its own
 */
export function typingStates(example: string, service: string, closesBraces: boolean): TypingState[] {
  const whole = readFileSync(new URL(`../../examples/${example}/${example}.portico`, import.meta.url), 'utf8')
  const start = whole.search(new RegExp(`^${service}: service`, 'm'))
  const end = whole.indexOf('\n}\n', start) + 2
  return Array.from({ length: end - start }, (_, index) => {
    const typed = whole.slice(start, start + index + 1)
    const before = whole.slice(0, start) + typed
    return {
      text: before + (closesBraces ? closingOf(typed) : '') + whole.slice(end),
      typed,
      line: before.split('\n').length,
    }
  })
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

/** What an editor has inserted after the cursor. */
function closingOf(typed: string): string {
  const open: string[] = []
  let isInString = false
  for (const character of typed) {
    if (character === '"') isInString = !isInString
    if (isInString) continue
    if (character in CLOSING) open.push(character)
    else if (/[)\]}]/.test(character)) open.pop()
  }
  let depth = open.filter((bracket) => bracket === '{').length
  const quote = isInString ? '"' : ''
  return open
    .toReversed()
    .map((bracket) => (bracket === '{' ? `\n${'  '.repeat(--depth)}}` : CLOSING[bracket]))
    .reduce<string>((text, closing) => text + (closing ?? ''), quote)
}

/** A text that is incomplete at an offset. */
export interface IncompleteText {
  readonly text: string
  readonly offset: number
}

/**
 * The states of all examples while one of their lines is typed: those around the name of each attribute, with the lines
 * after it, and a sample of all others, with and without these lines.
 */
export function lineStates(samples: number, seed: number): IncompleteText[] {
  const around: IncompleteText[] = []
  const others: IncompleteText[] = []
  for (const path of globSync('examples/*/*.{portico,temple}')) {
    const whole = readFileSync(path, 'utf8')
    for (let offset = 0; offset <= whole.length; offset++) {
      const before = whole.slice(0, offset)
      const rest = whole.slice(offset)
      const state = { text: before + rest.replace(/^.*/, ''), offset }
      if (/^ *[a-z]\w*:?$/.test(before.split('\n').at(-1) ?? '') && !/^\w/.test(rest)) around.push(state)
      else others.push(state, { text: before, offset })
    }
  }
  const random = randomNumbers(seed)
  const sample = () => others[Math.floor(random() * others.length)] as IncompleteText
  return [...around, ...Array.from({ length: samples }, sample)]
}
