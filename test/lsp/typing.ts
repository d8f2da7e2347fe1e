import { readFileSync } from 'node:fs'

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
  for (const character of typed) {
    if (character in CLOSING) open.push(character)
    else if (/[)\]}]/.test(character)) open.pop()
  }
  let depth = open.filter((bracket) => bracket === '{').length
  return open
    .toReversed()
    .map((bracket) => (bracket === '{' ? `\n${'  '.repeat(--depth)}}` : CLOSING[bracket]))
    .join('')
}
