import type { AstNode } from 'langium'
import type { RawDiagnostic } from '../raw-diagnostic.ts'
import { BraceBalance, DeclarationBounds } from './declaration-bounds.ts'
import { LexicalErrors } from './lexical-errors.ts'
import { UNTERMINATED_COMMENT } from './lexer.ts'
import { OpenBlocks } from './open-blocks.ts'
import type { RuleResult } from './rule-parser.ts'
import type { Segment } from './segment.ts'
import { unterminatedComment } from './syntax-errors.ts'
import { TokenCursor } from './token-cursor.ts'
import type { ILexingError, IToken, TokenType } from './token.ts'

/** Parses tokens with a grammar rule, and knows the token types of the grammar. */
export interface RuleReader {
  readonly tokenTypes: Record<string, TokenType>
  readonly read: <Node extends AstNode>(rule: string, tokens: IToken[]) => RuleResult<Node>
}

/** What the parsers of a segment with syntax errors share: its tokens, its open blocks and the diagnostics so far. */
export class RecoveryContext {
  readonly segment: Segment
  readonly cursor: TokenCursor
  readonly reader: RuleReader
  readonly lexicalErrors: LexicalErrors
  /** Whether a comment that does not end hides the rest of the text. */
  readonly hasUnterminatedComment: boolean
  readonly diagnostics: RawDiagnostic[] = []
  readonly braces: BraceBalance
  readonly open: OpenBlocks
  readonly bounds: DeclarationBounds

  constructor(segment: Segment, lexicalErrors: readonly ILexingError[], reader: RuleReader) {
    this.segment = segment
    this.cursor = new TokenCursor(segment.tokens)
    this.reader = reader
    this.lexicalErrors = new LexicalErrors(segment.text, this.cursor, lexicalErrors)
    const unterminated = lexicalErrors.find(({ message }) => message === UNTERMINATED_COMMENT)
    this.hasUnterminatedComment = unterminated !== undefined
    if (unterminated !== undefined) this.diagnostics.push(unterminatedComment(unterminated.offset))
    this.braces = new BraceBalance(segment.tokens)
    this.open = new OpenBlocks(segment, this.cursor, this.braces, this.diagnostics)
    this.bounds = new DeclarationBounds(this.cursor, this.braces)
  }

  /** Reports an error at a token, unless characters before it that belong to no token are the mistake. */
  report(at: number, error: RawDiagnostic): void {
    const lexical = this.lexicalErrors.takeBefore(at)
    this.diagnostics.push(lexical ?? error)
  }

  /** A token that is not in the text. */
  synthetic(image: string, near: IToken, type = image): IToken {
    const tokenType = this.reader.tokenTypes[type] as TokenType
    return {
      ...near,
      image,
      tokenType,
      tokenTypeIdx: tokenType.tokenTypeIdx ?? 0,
      isInsertedInRecovery: true,
    }
  }
}
