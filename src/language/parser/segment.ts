import type { AbstractCstNode } from 'langium'
import type { Import, Member } from '../generated/ast.ts'
import type { RawDiagnostic } from '../raw-diagnostic.ts'
import type { IToken } from './token.ts'

/**
 * A part of a definition that is parsed separately: a top-level block and the text before it. While its text does not
 * change, it is kept from one version of the definition to the next and only moves, so all its positions are relative
 * to its start.
 */
export class Segment {
  readonly text: string
  readonly tokens: readonly IToken[]
  readonly comments: readonly IToken[]
  /** Where it starts in the whole text, in UTF-16 code units. */
  offset = 0
  /** Its first line, and its column in that line, from 0. */
  line = 0
  column = 0
  imports: readonly Import[] = []
  members: readonly Member[] = []
  /** The concrete syntax of its members and of the tokens between them. */
  cst: readonly AbstractCstNode[] = []
  /** Its syntax errors. Offsets count from its start. */
  syntaxErrors: readonly RawDiagnostic[] = []
  /** Whether a name in it could not be parsed, so that a seemingly unknown name may be declared here. */
  hasUnparsedName = false
  /** Whether an import in it could not be parsed. */
  hasUnparsedImport = false
  /** The number of its line endings, and the start of its last line. */
  readonly #lineCount: number
  readonly #lastLineStart: number

  constructor(text: string, tokens: readonly IToken[], comments: readonly IToken[]) {
    this.text = text
    this.tokens = tokens
    this.comments = comments
    let lineCount = 0
    let lastLineStart = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code !== 0x0a && (code !== 0x0d || text.charCodeAt(at + 1) === 0x0a)) continue
      lineCount++
      lastLineStart = at + 1
    }
    this.#lineCount = lineCount
    this.#lastLineStart = lastLineStart
  }

  /** Moves it after another one, or to the start of the text. */
  moveAfter(before: Segment | undefined): void {
    this.offset = before === undefined ? 0 : before.offset + before.text.length
    this.line = before === undefined ? 0 : before.line + before.#lineCount
    this.column = before === undefined ? 0 : before.#endColumn
  }

  get #endColumn(): number {
    const column = this.#lineCount === 0 ? this.column : 0
    return column + this.text.length - this.#lastLineStart
  }
}
