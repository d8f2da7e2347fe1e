import { typeNamed } from '../../builtins.ts'
import { otherLanguages } from '../../other-languages.ts'
import { printable } from '../../quote.ts'
import { type SyntaxMessage, unexpected } from './syntax-message.ts'

/** `a?: int`, `a: int?(5)`, `a: int @unique?`: the sign of optional attributes in another place. */
export function misplacedQuestionMark(attribute: string): SyntaxMessage {
  return {
    ...unexpected('?'),
    help: `write it after the type and its arguments: \`${printable(attribute)}?;\``,
  }
}

/** `a: string?(80)` */
export function argumentsAfterQuestionMark(): SyntaxMessage {
  return { ...unexpected('('), help: 'write `?` after the arguments, for example `string(80)?`' }
}

/** `enum(OPEN = "open")` */
export function namedEnumValue(): SyntaxMessage {
  return {
    ...unexpected('='),
    help: 'write only the values, as clients send them, for example `enum(open, closed)`',
  }
}

/** `a: int = ;` */
export function missingDefault(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Missing default after `=`' }
}

/** `a: int @unique = 3`: the default after an annotation. */
export function misplacedDefault(): SyntaxMessage {
  return { ...unexpected('='), help: 'write the default before the annotations' }
}

/** `enum[open, closed]`, `enum { open, closed }` or `enum open`. */
export function enumWithoutParentheses(found: string): SyntaxMessage {
  return {
    ...unexpected(found),
    help: 'values are written in parentheses, for example `status: enum(open, closed);`',
  }
}

/** `string[80]` and `string{80}` */
export function otherBrackets(found: string): SyntaxMessage {
  return { ...unexpected(found), help: 'arguments are written in parentheses, for example `string(80)`' }
}

/** `a: int[]` or `a: [int]` */
export function listType(found: string): SyntaxMessage {
  return {
    ...unexpected(found),
    message: 'Lists are not supported',
    help: 'declare a struct, with one entry for each item',
  }
}

/** `string 80`, `string[80]` and `int max = 40`; `undefined` for anything else after a type. */
export function argumentWithoutParentheses(
  type: string,
  found: string,
  next: string,
): SyntaxMessage | undefined {
  const [first] = typeNamed(type)?.parameters ?? []
  if (first === undefined) return undefined
  if (/\d\.\.+-?\d/.test(found + next)) return { ...unexpected(found), help: otherLanguages.range }
  if (/^\d/.test(found))
    return {
      ...unexpected(found),
      help: `write \`${type}(${printable(found)})\``,
      data: { replacement: `(${found})` },
    }
  if (found === '[' && /^\d/.test(next)) return otherBrackets(found)
  const isParameter = typeNamed(type)?.parameters.some(({ name }) => name === found)
  return isParameter === true
    ? { ...unexpected(found), help: `arguments are written in parentheses: \`${type}(${found}: ...)\`` }
    : undefined
}

/** What follows a type or an annotation, where `;` or an annotation is expected. */
export function unexpectedAfterType(found: string | undefined, isAnnotation: boolean): SyntaxMessage {
  if (found === '=') return misplacedDefault()
  if (found === '[') return listType(found)
  if (found === undefined) return unexpected(found)
  if (!isAnnotation)
    return /^\w/.test(found)
      ? {
          ...unexpected(found),
          help: otherLanguages.afterType(found) ?? 'annotations begin with `@`, for example `@unique`',
        }
      : unexpected(found)
  return { ...unexpected(found), help: `did you mean \`@${found}\`?`, data: { replacement: `@${found}` } }
}
