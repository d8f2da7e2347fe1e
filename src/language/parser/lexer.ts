import type { LangiumCoreServices, Lexer, LexerResult } from 'langium'
import type { ILexingError, IToken, TokenType } from './token.ts'

/**
 * Langium's `Lexer` service as one sticky regular expression, built from the terminals and keywords of the grammar.
 * Chevrotain's lexer analyzes every expression when it is created and is several times slower, which would delay
 * every run of the command line.
 */
export class PorticoLexer implements Lexer {
  readonly definition: Record<string, TokenType> = {}
  readonly #expression: RegExp
  readonly #terminals: readonly TokenType[]
  readonly #keywords = new Map<string, TokenType>()

  constructor({ Grammar, parser }: LangiumCoreServices) {
    const tokens = parser.TokenBuilder.buildTokens(Grammar) as TokenType[]
    for (const token of tokens) {
      this.definition[token.name] = token
      if (typeof token.PATTERN === 'string') this.#keywords.set(token.PATTERN, token)
    }
    this.#terminals = tokens.filter(({ PATTERN }) => typeof PATTERN !== 'string')
    const groups = this.#terminals.map(({ PATTERN }) => `(${(PATTERN as RegExp).source})`)
    const signs = [...this.#keywords.keys()].filter((word) => !/^\w/.test(word))
    this.#expression = new RegExp([...groups, ...signs.map(escaped)].join('|'), 'uy')
  }

  /** Splits a text into tokens and comments. Takes linear time and never throws. */
  tokenize(text: string): LexerResult {
    const tokens: IToken[] = []
    const hidden: IToken[] = []
    const errors: ILexingError[] = []
    const expression = this.#expression
    let line = 1
    let lineStart = 0
    let offset = 0
    while (offset < text.length) {
      expression.lastIndex = offset
      const match = expression.exec(text)
      const column = offset - lineStart + 1
      if (match === null) {
        if (text.startsWith('/*', offset)) {
          errors.push({ offset, line, column, length: 2, message: UNTERMINATED_COMMENT })
          break
        }
        const length = (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
        const last = errors.at(-1)
        // Consecutive unexpected characters are one mistake.
        if (last !== undefined && last.offset + last.length === offset) last.length += length
        else errors.push({ offset, line, column, length, message: UNEXPECTED_CHARACTER })
        offset += length
        continue
      }
      const image = match[0]
      const terminal = this.#terminalOf(match)
      const start = offset
      const startLine = line
      offset += image.length
      if (terminal?.GROUP !== undefined)
        for (let at = start; at < offset; at++) {
          const code = text.charCodeAt(at)
          if (code !== 0x0a && (code !== 0x0d || text.charCodeAt(at + 1) === 0x0a)) continue
          line++
          lineStart = at + 1
        }
      if (terminal?.name === 'WS') continue
      const type = terminal?.GROUP === undefined ? (this.#keywords.get(image) ?? terminal) : terminal
      if (type === undefined) continue
      const token = createToken(image, type, start, startLine, column, line, offset - lineStart)
      if (terminal?.GROUP === undefined) tokens.push(token)
      else hidden.push(token)
    }
    return { tokens, hidden, errors, report: { diagnostics: [] } }
  }

  #terminalOf(match: RegExpExecArray): TokenType | undefined {
    for (let group = 1; group < match.length; group++)
      if (match[group] !== undefined) return this.#terminals[group - 1]
    return undefined
  }
}

export const UNTERMINATED_COMMENT = 'unterminated-comment'
export const UNEXPECTED_CHARACTER = 'unexpected-character'

/** Chevrotain's positions: offsets from 0, lines and columns from 1, inclusive ends. */
function createToken(
  image: string,
  tokenType: TokenType,
  startOffset: number,
  startLine: number,
  startColumn: number,
  endLine: number,
  endColumn: number,
): IToken {
  return {
    image,
    startOffset,
    endOffset: startOffset + image.length - 1,
    startLine,
    startColumn,
    endLine,
    endColumn,
    tokenTypeIdx: tokenType.tokenTypeIdx ?? 0,
    tokenType,
  }
}

function escaped(sign: string): string {
  return sign.replace(/[[\](){}?]/, '\\$&')
}
