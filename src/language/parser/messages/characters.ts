import { otherLanguages } from '../../other-languages.ts'
import { quote } from '../../quote.ts'
import type { SyntaxMessage } from './syntax-message.ts'

/** `/*` without the matching end. */
export function unterminatedComment(): SyntaxMessage {
  return { code: 'unterminated-comment', message: 'Unterminated comment', help: 'close it with `*/`' }
}

/** `|` between the values of an `enum` or of metadata. */
export function barInList(): SyntaxMessage {
  const help = 'separate values with `,`'
  return {
    code: 'unexpected-character',
    message: 'Unexpected character `|`',
    help,
    data: { replacement: ',' },
  }
}

/** `int(> 0)`: a comparison as a bound. */
export function comparison(found: string): SyntaxMessage {
  return {
    code: 'unexpected-character',
    message: `Unexpected character \`${found}\``,
    help: 'bounds are arguments of the type, and inclusive, for example `int(max: 40, min: 1)`',
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
 * @param before the word that they follow and another follows them; empty without one. With the `@` of an annotation
 */
export function unexpectedCharacters(found: string, isDefault: boolean, before: string): SyntaxMessage {
  const code = 'unexpected-character'
  if (isDefault && found.startsWith('"'))
    return { code, message: 'Unterminated string', help: 'close it with `"`' }
  if (isDefault && /^['`]/.test(found))
    return { code, message: 'Strings are written in double quotes', help: 'for example `= "NL"`' }
  if (/^[“”„‟‘’‚‛«»]+$/.test(found))
    return isDefault
      ? { code, message: 'Strings are written in straight double quotes', help: 'for example `= "NL"`' }
      : { code, message: 'Values are not quoted', help: 'write the word without quotes' }
  if (/^["'`]+$/.test(found)) return { code, message: 'Values are not quoted', data: { replacement: '' } }
  const instead = CHARACTERS.find(([pattern]) => pattern.test(found))
  if (instead !== undefined && !isDefault) {
    const isUnion = found.startsWith('|')
    return { code, message: instead[1], help: instead[2], ...(isUnion ? {} : { data: { replacement: '' } }) }
  }
  const shown = found.includes('`') ? 'backtick' : quote(found)
  const message = `Unexpected ${/^.$/u.test(found) ? 'character' : 'characters'} ${shown}`
  if (found === '--') return { code, message, help: 'comments begin with `//`', data: { replacement: '//' } }
  // Without the `.`, the two names would be one.
  if (found === '.' && before.startsWith('@'))
    return {
      code,
      message,
      help: otherLanguages.annotation(before.slice(1)) ?? 'annotations are single words',
    }
  if (found === '.' && /^[a-z]/i.test(before))
    return { code, message, help: 'names are written without the service that they belong to' }
  if (found === '<') {
    const help = otherLanguages.type(before) ?? 'arguments are written in parentheses'
    return { code, message, help, data: { replacement: '' } }
  }
  return { code, message, data: { replacement: '' } }
}
