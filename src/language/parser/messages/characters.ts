import { otherLanguages } from '../../other-languages.ts'
import { quote } from '../../quote.ts'
import type { SyntaxMessage } from './syntax-message.ts'

/** `/*` without the matching end. */
export function unterminatedComment(): SyntaxMessage {
  return { code: 'unterminated-comment', message: 'Unterminated comment', help: 'close it with `*/`' }
}

/** `|` between the values of an `enum`. */
export function barInEnum(): SyntaxMessage {
  const help = 'separate values with `,`'
  return {
    code: 'unexpected-character',
    message: 'Unexpected character `|`',
    help,
    data: { replacement: ',' },
  }
}

/** Characters that mean something in other languages, what is not supported, and what to write here. */
const CHARACTERS: readonly (readonly [RegExp, string, string])[] = [
  [
    /^\|+$/,
    'Unions are not supported',
    'for a choice, use `enum(open, closed)`; for an optional value, `string?`',
  ],
  [/^&+$/, 'Types cannot be combined', 'declare every attribute in its service or struct'],
  [/^!+$/, 'Unexpected character `!`', 'attributes are required unless their type ends in `?`'],
  [/^\*+$/, 'Unexpected character `*`', 'computed values are set by hooks, in `src/setup.ts`'],
]

/**
 * Characters that are not part of the language.
 *
 * @param isDefault they are in the place of a default
 * @param before the word directly before them; empty without one
 */
export function unexpectedCharacters(found: string, isDefault: boolean, before: string): SyntaxMessage {
  const code = 'unexpected-character'
  if (isDefault && found.startsWith('"'))
    return { code, message: 'Unterminated string', help: 'close it with `"`' }
  if (isDefault && /^['`]/.test(found))
    return { code, message: 'Strings are written in double quotes', help: 'for example `= "NL"`' }
  if (/^["'`]+$/.test(found)) return { code, message: 'Values are not quoted', data: { replacement: '' } }
  const instead = CHARACTERS.find(([pattern]) => pattern.test(found))
  if (instead !== undefined && !isDefault)
    return { code, message: instead[1], help: instead[2], data: { replacement: '' } }
  const shown = found.includes('`') ? 'backtick' : quote(found)
  const message = `Unexpected ${/^.$/u.test(found) ? 'character' : 'characters'} ${shown}`
  if (found === '--') return { code, message, help: 'comments begin with `//`', data: { replacement: '' } }
  // Without the `.`, the two names would be one.
  if (found === '.' && /^[a-z]/i.test(before))
    return { code, message, help: 'names are written without the service that they belong to' }
  if (found === '<') {
    const help = otherLanguages.type(before) ?? 'arguments are written in parentheses'
    return { code, message, help, data: { replacement: '' } }
  }
  return { code, message, data: { replacement: '' } }
}
