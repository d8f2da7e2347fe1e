import { stripVTControlCharacters } from 'node:util'
import { CONTROL_CHARACTER } from '../control-characters.ts'

/** The colors and styles of `Colors`. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what it looks for
const STYLE = /(\u001b\[(?:[12]|22|3[12369])m)/

/**
 * Escapes every character of a line that could control the terminal or reorder the text: U+202E becomes `\u202e`, which
 * means the same in JSON. Portico's own styles are kept if `styled` is set. Every line that a command prints passes through it.
 */
export function escapeControls(line: string, styled: boolean): string {
  const parts = styled ? line.split(STYLE) : [line]
  return parts
    .map((part, index) => (index % 2 === 1 ? part : part.replace(CONTROL_CHARACTER, escapeControl)))
    .join('')
}

/** Removes escape sequences, which could look like Portico's styles. `escapeControls` escapes what else is in the text. */
export function stripEscapes(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\u001b', escapeControl)
}

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Quotes an argument for POSIX shells if it needs quotes. */
export function shellQuote(argument: string): string {
  if (/^[\p{L}\p{N}_./:@%+,=-]+$/u.test(argument)) return argument
  return `'${stripEscapes(argument).replaceAll("'", `'\\''`)}'`
}

/** Wraps text at spaces into lines of at most `width` characters. A longer word gets a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
