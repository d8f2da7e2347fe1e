import { stripVTControlCharacters } from 'node:util'

// oxlint-disable-next-line no-control-regex -- control characters are what this matches
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g

/** Returns text that cannot control the terminal: escape sequences are removed, control characters replaced. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROL, '\uFFFD')
}

/** Quotes an argument for POSIX shells if it needs quotes. */
export function shellQuote(argument: string): string {
  if (/^[\p{L}\p{N}_./:@%+,=-]+$/u.test(argument)) return argument
  return `'${printable(argument).replaceAll("'", `'\\''`)}'`
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

/** Joins alternatives: `a`, `b` or `c`. */
export function alternatives(values: readonly string[]): string {
  const quoted = values.map((value) => `\`${value}\``)
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].filter((part) => part !== '').join(' or ')
}
