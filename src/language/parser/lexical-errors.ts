import type { RawDiagnostic } from '../raw-diagnostic.ts'
import { UNTERMINATED_COMMENT } from './lexer.ts'
import { unexpectedCharacters } from './syntax-errors.ts'
import type { TokenCursor } from './token-cursor.ts'
import type { ILexingError } from './token.ts'

/** Characters that belong to no token, in the order of the text. Each is reported once. */
export class LexicalErrors {
  readonly #text: string
  readonly #cursor: TokenCursor
  readonly #errors: readonly ILexingError[]
  #index = 0

  constructor(text: string, cursor: TokenCursor, errors: readonly ILexingError[]) {
    this.#text = text
    this.#cursor = cursor
    this.#errors = errors.filter(({ message }) => message !== UNTERMINATED_COMMENT)
  }

  /** The next error. */
  next(): RawDiagnostic | undefined {
    return this.#diagnostic(this.#errors[this.#index])
  }

  /** Takes the error between two declarations, before the token `at`, that belongs to neither. */
  takeSeparate(at: number): RawDiagnostic | undefined {
    const { startLine } = this.#cursor.at(at)
    const start = this.#cursor.start(at)
    const first = this.#errors[this.#index]
    if (first === undefined || first.offset >= start) return undefined
    if (first.line === startLine && this.#cursor.image(at) !== ';') return undefined
    while ((this.#errors[this.#index]?.offset ?? start) < start) this.#index++
    return this.#diagnostic(first)
  }

  /** Takes the first error before the token `to`, or after the previous token on its line, and discards the others up to there. */
  takeBefore(to: number): RawDiagnostic | undefined {
    const cursor = this.#cursor
    const isLast = to >= cursor.tokens.length
    const next = isLast ? Number.POSITIVE_INFINITY : cursor.start(to)
    const limit = isLast || to === 0 ? next : cursor.end(to - 1)
    const line = cursor.at(to - 1).endLine
    const isBefore = (error: ILexingError | undefined): boolean =>
      error !== undefined && (error.offset < limit || (error.line === line && error.offset < next))
    const first = this.#errors[this.#index]
    if (!isBefore(first)) return undefined
    while (isBefore(this.#errors[this.#index])) this.#index++
    return this.#diagnostic(first)
  }

  #diagnostic(error: ILexingError | undefined): RawDiagnostic | undefined {
    return (
      error && unexpectedCharacters(this.#text, { start: error.offset, end: error.offset + error.length })
    )
  }
}
