import { otherLanguages } from '../../other-languages.ts'
import { printable, quote } from '../../quote.ts'
import { type SyntaxMessage, unexpected } from './syntax-message.ts'

/** A token in place of an argument or a list item. `before` is the text of the tokens that precede it. */
export function missingValue(found: string | undefined, before: string): SyntaxMessage {
  if (found === ',') return { ...unexpected(found), data: { replacement: '' } }
  if (!before.endsWith(':')) return unexpected(found)
  const message = `Missing value after \`${printable(before)}\``
  const isOtherBracket = found === '(' || found === '{'
  return {
    code: 'unexpected-token',
    message,
    ...(isOtherBracket ? { help: 'lists are written in square brackets' } : {}),
  }
}

/** A text in quotes, where no text can be. `help` says what to write instead, if it is not the text itself. */
export function quotedValue(literal: string, help?: string): SyntaxMessage {
  const content = literal.slice(1, -1)
  return {
    code: 'unexpected-token',
    message: 'Values are not quoted',
    ...(help === undefined ? {} : { help }),
    ...(help === undefined && /^[\w-]+$/.test(content) ? { data: { replacement: content } } : {}),
  }
}

/** `1,5`: a comma in place of the decimal point. */
export function decimalComma(whole: string, fraction: string): SyntaxMessage {
  const number = `${printable(whole)}.${printable(fraction)}`
  return {
    code: 'unexpected-token',
    message: 'Unexpected `,`',
    help: `write \`${number}\`, with a point`,
    data: { replacement: '.' },
  }
}

/** `now()`: parentheses after a word that takes no arguments. */
export function unexpectedCall(word: string): SyntaxMessage {
  return {
    ...unexpected('('),
    help:
      word === 'now'
        ? 'for the current time, write `datetime = now`'
        : (otherLanguages.call(word) ?? 'functions cannot be called here; a hook can set the value'),
  }
}

/** `5 M`: a suffix apart from its number. */
export function detachedSuffix(number: string, suffix: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: `Unexpected space before ${quote(suffix)}`,
    help: `write \`${printable(number)}${suffix.charAt(0)}\``,
  }
}

/** `max 5`: the colon is missing after the name of an argument. */
export function missingArgumentColon(name: string): SyntaxMessage {
  return { code: 'missing-token', message: `Expected \`:\` after ${quote(name)}`, data: { insertion: ':' } }
}

/** `max: 40; min: 1` in parentheses. */
export function semicolonForComma(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Expected `,` instead of `;`', data: { replacement: ',' } }
}

/** `5 1`: the comma is missing before the token `next`. */
export function missingComma(next: string): SyntaxMessage {
  return { code: 'missing-token', message: `Missing \`,\` before ${quote(next)}`, data: { insertion: ',' } }
}

/** `int max: 40` and `#readable by: all`. */
export function missingParentheses(callee: string, given: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: 'Arguments are written in parentheses',
    help: `write \`${printable(callee)}(${printable(given)})\``,
    data: { replacement: `(${given})` },
  }
}

/** `[a)`: a list or arguments that end in the other bracket. */
export function otherBracket(found: string, expected: ')' | ']'): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: `Expected \`${expected}\` instead of \`${found}\``,
    data: { replacement: expected },
  }
}

/** The closing bracket of arguments or of a list is missing. */
export function missingBracket(bracket: ')' | ']'): SyntaxMessage {
  return { code: 'missing-token', message: `Missing \`${bracket}\``, data: { insertion: bracket } }
}
