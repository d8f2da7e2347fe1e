import {
  annotationNamed,
  isBlockKind,
  isParameter,
  metadataNamed,
  metadataParameters,
  typeNamed,
} from '../builtins.ts'
import type { TokenCursor } from './token-cursor.ts'
import type { IToken } from './token.ts'

/** The maximum number of tokens between the head of a block and its `{` that are treated as a mistake. */
const MAX_WORDS_BEFORE_BRACE = 8

/** The number of `}` that are missing in the rest of a text; negative if there are too many. */
export class BraceBalance {
  missing = 0

  constructor(tokens: readonly IToken[]) {
    for (const { image } of tokens) {
      if (image === '{') this.missing++
      else if (image === '}') this.missing--
    }
  }
}

/** `int max: 40` and `#readable by: all`: a parameter follows the type or metadata of the declaration at `from`. */
export function lacksParentheses(cursor: TokenCursor, from: number): boolean {
  const isMetadata = cursor.image(from) === '#'
  if (!isMetadata && cursor.image(from + 1) !== ':') return false
  const at = isMetadata ? from + 2 : from + 3
  if (cursor.image(at + 1) !== ':' || cursor.beginsLine(at)) return false
  const callee = cursor.image(at - 1)
  const word = cursor.image(at)
  if (isMetadata) {
    const metadata = metadataNamed(callee)
    return metadata !== undefined && metadataParameters(metadata).some(({ name }) => name === word)
  }
  // `string max: 40` is meant as an argument too, but `string max: int` as another attribute.
  return typeNamed(callee) !== undefined && isParameter(word) && /^[-+.\d]/.test(cursor.image(at + 2))
}

/** `name: string #unique`: the `#` at `at` is meant as the `@` of an annotation. */
export function isSignOfAnnotation(cursor: TokenCursor, at: number): boolean {
  if (annotationNamed(cursor.image(at + 1)) === undefined || cursor.beginsLine(at)) return false
  const hasNoValue = /^[;@#}]?$/.test(cursor.image(at + 2)) || cursor.beginsLine(at + 2)
  return hasNoValue && !/^[;{}]$/.test(cursor.image(at - 1))
}

/** Decides where declarations begin and end in text that does not follow the grammar. */
export class DeclarationBounds {
  readonly #cursor: TokenCursor
  readonly #braces: BraceBalance

  constructor(cursor: TokenCursor, braces: BraceBalance) {
    this.#cursor = cursor
    this.#braces = braces
  }

  /** `service Home {`, `string name;`. */
  isReversed(at: number): boolean {
    const cursor = this.#cursor
    if (!cursor.isWord(at) || !cursor.isWord(at + 1)) return false
    if (cursor.image(at + 2) === ':' || cursor.beginsLine(at + 1)) return false
    if (this.braceNear(at + 1) !== undefined)
      return /^\p{Ll}/u.test(cursor.image(at)) && !/^\p{Ll}/u.test(cursor.image(at + 1))
    return cursor.isPrimitive(at) && !cursor.isPrimitive(at + 1)
  }

  /** `name; string;` and `Home = service {`. */
  isColonMistyped(at: number): boolean {
    const cursor = this.#cursor
    return (
      /^[;=]$/.test(cursor.image(at + 1)) &&
      cursor.isWord(at + 2) &&
      !cursor.beginsLine(at + 2) &&
      cursor.image(at + 3) !== ':'
    )
  }

  /** A `{` on the same line, after a few words. */
  braceNear(from: number): number | undefined {
    const cursor = this.#cursor
    for (let at = from, depth = 0; at < from + MAX_WORDS_BEFORE_BRACE; at++) {
      const image = cursor.image(at)
      if (image === '{') return at
      if (image === '(') depth++
      else if (image === ')') depth--
      if (image === '' || /^[;}#@]$/.test(image) || cursor.beginsLine(at)) return undefined
      if (depth === 0 && cursor.isWord(at) && cursor.image(at + 1) === ':') return undefined
    }
    return undefined
  }

  /** The `}` on the same line that closes the `{` at `at`. */
  closingBrace(at: number): number | undefined {
    const cursor = this.#cursor
    let end = at + 1
    while (!/^[{}]?$/.test(cursor.image(end)) && !cursor.beginsLine(end)) end++
    return cursor.image(end) === '}' && !cursor.beginsLine(end) ? end : undefined
  }

  /** Index after the last token of the declaration that begins at `from`. */
  endOf(from: number): number {
    const cursor = this.#cursor
    const isList = lacksParentheses(cursor, from)
    let depth = 0
    for (let at = from + 1; at < cursor.tokens.length; at++) {
      switch (cursor.image(at)) {
        case ';':
          if (depth > 0 && this.#closesSoon(at)) break
          if (at === from + 1 && this.isColonMistyped(from)) break
          return at + 1
        case '#':
          if (cursor.image(from) !== '#' && isSignOfAnnotation(cursor, at)) break
          return at
        case '}':
          if (this.#braces.missing >= 0 || !/^[:,([@#]$/.test(cursor.image(at - 1))) return at
          this.#braces.missing++
          break
        case '{':
          // `#omit{delete, update}` and `filter: {status}`
          if (cursor.image(from) === '#' && (depth > 0 || at === from + 2)) {
            const end = this.closingBrace(at)
            if (end !== undefined) {
              at = end
              break
            }
          }
          if (this.#braces.missing <= 0) return at
          this.#braces.missing--
          break
        case '(':
        case '[':
          depth++
          break
        case ')':
        case ']':
          depth--
          break
        default:
          if (
            (!isList || cursor.beginsLine(at) || !isParameter(cursor.image(at))) &&
            this.#beginsDeclaration(from, at, depth)
          )
            return at
      }
    }
    return cursor.tokens.length
  }

  #beginsDeclaration(from: number, at: number, depth: number): boolean {
    const cursor = this.#cursor
    if (!cursor.isWord(at)) return false
    const beginsLine = cursor.beginsLine(at)
    if (cursor.image(at + 1) === ':') {
      const isNameOfMetadata = cursor.image(from) === '#' && at === from + 1 && !beginsLine
      return (depth <= 0 || (beginsLine && !this.#isPair(at))) && !isNameOfMetadata
    }
    if (depth > 0 || !beginsLine) return false
    const isCapitalized = (index: number): boolean => /^\p{Lu}/u.test(cursor.image(index))
    // `Home service {`
    if (isCapitalized(at)) return isBlockKind(cursor.image(at + 1)) && cursor.image(at + 2) === '{'
    // `age int`
    const isType = cursor.isPrimitive(at + 1) || (cursor.isWord(at + 1) && isCapitalized(at + 1))
    return isType && !cursor.beginsLine(at + 1)
  }

  /** `draft: [sent, void],` in `@transitions(`: an argument with a list, or between commas. */
  #isPair(at: number): boolean {
    const cursor = this.#cursor
    if (!/^[(,]$/.test(cursor.image(at - 1))) return false
    return cursor.image(at + 2) === '[' || /^[,)]$/.test(cursor.image(at + 3))
  }

  /** Whether the open bracket is closed on this line, after a few items. */
  #closesSoon(from: number): boolean {
    const cursor = this.#cursor
    for (let at = from + 1, depth = 1; at < from + MAX_WORDS_BEFORE_BRACE; at++) {
      const image = cursor.image(at)
      if (image === '' || /^[;{}#@]$/.test(image) || cursor.beginsLine(at)) return false
      const isAttribute = cursor.isWord(at) && cursor.image(at + 1) === ':' && !isParameter(image)
      if (isAttribute) return false
      if (image === '(' || image === '[') depth++
      else if ((image === ')' || image === ']') && --depth === 0) return true
    }
    return false
  }
}
