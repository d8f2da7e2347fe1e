import type { Findings } from './findings.ts'
import type { LexicalProblem } from './scanner.ts'
import type { BlockNode } from './nodes.ts'
import { printable, quote } from './quote.ts'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  END,
  HASH,
  NAME,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  type Tokens,
} from './tokens.ts'
import type { Finding, SyntaxTree } from './tree.ts'

/** Blocks and brackets nested more deeply than this are skipped. */
export const MAX_DEPTH = 16

/** How many words between the head of a block and its `{` are taken for a slip. */
const MOST_WORDS = 8
const NO_WORDS: ReadonlySet<number> = new Set([END, SEMICOLON, CLOSE_BRACE, HASH])

/** The place that a parser is at, and what it found wrong: at most one finding a statement. */
export class Cursor {
  /** Of the token that comes next. */
  index = 0
  /** The statement that is being read does not follow the grammar. */
  isBroken = false
  /** How many brackets of the statement are open at the place where it broke. */
  brackets = 0
  readonly findings: Findings
  readonly #tree: SyntaxTree
  readonly #tokens: Tokens
  readonly #lexical: readonly LexicalProblem[]
  readonly #unterminated: LexicalProblem | undefined
  #nextLexical = 0
  #finding: Finding | undefined
  /** Offset of the token that did not fit. */
  #noticedAt = 0
  /** The finding that the end of the text is not what is expected. */
  #cutOff: Finding | undefined

  constructor(tree: SyntaxTree, lexical: readonly LexicalProblem[], findings: Findings) {
    this.findings = findings
    this.#tree = tree
    this.#tokens = tree.tokens
    this.#unterminated = lexical.findLast((problem) => problem.code === 'unterminated-comment')
    this.#lexical = lexical.filter((problem) => problem !== this.#unterminated)
  }

  /** Kind of the next token. */
  get kind(): number {
    return this.#tokens.kind(this.index)
  }

  /** Kind of the token `ahead` places behind the next one. */
  kindAt(ahead: number): number {
    return this.#tokens.kind(this.index + ahead)
  }

  /** Moves on, and gives the index of the token that was next. */
  next(): number {
    return this.index++
  }

  textAt(index: number): string {
    return index < 0 ? '' : printable(this.#tokens.textOf(index))
  }

  quoted(index: number): string {
    return quote(this.#tokens.textOf(index))
  }

  /** Whether the token `ahead` places behind the next one is the first of its line. */
  beginsLine(ahead: number): boolean {
    return this.#tree.lines.beginsLine(this.#tokens.start(this.index + ahead))
  }

  /** How far the token is indented where it is the first of its line, else `undefined`. */
  indentationAt(index: number): number | undefined {
    const start = this.#tokens.start(index)
    const { lines } = this.#tree
    return lines.beginsLine(start) ? start - lines.lineStart(lines.lineAt(start)) : undefined
  }

  beginStatement(): void {
    this.isBroken = false
    this.brackets = 0
    this.#finding = undefined
  }

  /** Keeps the first finding of the statement, be it in its characters or in its tokens. */
  endStatement(): void {
    const lexical = this.#takeLexical()
    if (lexical !== undefined && (this.#finding === undefined || lexical.start < this.#noticedAt))
      this.findings.add(lexicalFinding(lexical, this.#tree.text))
    else if (this.#finding !== undefined) this.findings.add(this.#finding)
  }

  /** Whether characters that belong to no token stand in the statement so far. */
  hasLexicalProblem(): boolean {
    return this.#isOfStatement(this.#lexical[this.#nextLexical])
  }

  /** What no statement holds: characters in a text without any, and a comment that does not end. */
  endText(): void {
    const lexical = this.#takeLexical()
    if (lexical !== undefined) this.findings.add(lexicalFinding(lexical, this.#tree.text))
    if (this.#unterminated !== undefined)
      this.findings.add(lexicalFinding(this.#unterminated, this.#tree.text))
  }

  /** Whether the next token is the one at which the statement was found to be broken. */
  get isCulprit(): boolean {
    return this.isBroken && this.#noticedAt === this.#tokens.start(this.index)
  }

  /** The next token is not what is expected here; `replacement` in its place would mend it. */
  unexpected(expected: string, replacement?: string): void {
    const found = this.kind === END ? 'the end of the text' : this.quoted(this.index)
    const mend =
      replacement === undefined
        ? ''
        : replacement === ''
          ? ' Remove it.'
          : ` Write \`${replacement}\` instead.`
    this.#report(
      {
        code: 'unexpected-token',
        start: this.#tokens.start(this.index),
        end: this.#tokens.end(this.index),
        message: `Found ${found} where ${expected} is expected.${mend}`,
        ...(replacement === undefined ? {} : { data: { replacement } }),
      },
      this.kind === END,
    )
  }

  /** `insertion` is missing behind the last token. Reading goes on as if it were there. */
  missing(insertion: string, message: string): void {
    const end = this.#tokens.end(this.index - 1)
    this.#report({ code: 'missing-token', start: end, end, message, data: { insertion } }, this.kind === END)
  }

  /** The declaration is whole but for its `;`. */
  missingSemicolon(): void {
    this.#noticedAt = this.#tokens.start(this.index)
    const end = this.#tokens.end(this.index - 1)
    this.#finding ??= {
      code: 'missing-semicolon',
      start: end,
      end,
      message: `There is no \`;\` behind ${this.quoted(this.index - 1)}. Insert it.`,
      data: { insertion: ';' },
    }
  }

  /** The last token and the next one, which is passed over, stand in the order of other languages. */
  swapped(replacement: string): void {
    const start = this.#tokens.start(this.index - 1)
    const end = this.#tokens.end(this.index)
    const message = `The name comes first: write \`${replacement}\`.`
    this.#report({ code: 'unexpected-token', start, end, message, data: { replacement } })
    this.index++
  }

  surplusBrace(): void {
    this.#report({
      code: 'unexpected-token',
      start: this.#tokens.start(this.index),
      end: this.#tokens.end(this.index),
      message: 'This `}` closes nothing: remove it, or a `}` above that closes its block too early.',
      data: { replacement: '' },
    })
  }

  /** The bracket at `index` is nested too deeply. */
  tooDeep(index: number): void {
    this.#report({
      code: 'nesting-too-deep',
      start: this.#tokens.start(index),
      end: this.#tokens.end(index),
      message: `Brackets are nested more than ${MAX_DEPTH} deep. What is in this one was not read: remove it, or close the ones before it.`,
    })
  }

  /** The `}` of a block is missing before the token `next`, or at the end of the text. */
  unclosed(block: BlockNode, next: number): void {
    if (next === this.#tokens.length) {
      if (this.#unterminated !== undefined) return
      if (this.#cutOff !== undefined && this.findings.last === this.#cutOff) this.findings.drop()
    }
    const at = block.$name < 0 ? block.$first : block.$name
    const before = next === this.#tokens.length ? 'the end of the text' : this.quoted(next)
    const place = this.#tokens.end(next - 1)
    this.findings.add({
      code: 'unclosed-block',
      start: this.#tokens.start(at),
      end: this.#tokens.end(at),
      message: `The block ${this.quoted(at)} is not closed. Insert \`}\` before ${before}.`,
      related: [{ start: place, end: place, message: 'It could be closed here.' }],
    })
  }

  /** Whether a `{` follows in this line, behind a few words at most. */
  braceIsNear(): boolean {
    return this.#wordsBeforeBrace() !== undefined
  }

  /** Passes over a few words between the head of a block and its `{`, and reports them. */
  skipToBrace(): void {
    const words = this.#wordsBeforeBrace() ?? 0
    if (words === 0) return
    this.unexpected('`{`')
    this.index += words
  }

  #wordsBeforeBrace(): number | undefined {
    for (let ahead = 0; ahead < MOST_WORDS; ahead++) {
      const kind = this.kindAt(ahead)
      if (kind === OPEN_BRACE) return ahead
      const isNextDeclaration = kind === NAME && this.kindAt(ahead + 1) === COLON
      if (NO_WORDS.has(kind) || isNextDeclaration || this.beginsLine(ahead)) return undefined
    }
    return undefined
  }

  /** Whether the bracket that is open is closed in this line, behind a few items at most and the next token. */
  closesSoon(): boolean {
    let depth = 1
    for (let ahead = 1; ahead < MOST_WORDS; ahead++) {
      const kind = this.kindAt(ahead)
      if (NO_WORDS.has(kind) || kind === OPEN_BRACE || this.beginsLine(ahead)) return false
      if (kind === OPEN_PAREN || kind === OPEN_BRACKET) depth++
      else if ((kind === CLOSE_PAREN || kind === CLOSE_BRACKET) && --depth === 0) return true
    }
    return false
  }

  /** Skips to behind the bracket that closes the one before the next token. */
  skipBalanced(): void {
    for (let depth = 1; depth > 0 && this.kind !== END; this.index++) {
      switch (this.kind) {
        case OPEN_PAREN:
        case OPEN_BRACKET:
        case OPEN_BRACE:
          depth++
          break
        case CLOSE_PAREN:
        case CLOSE_BRACKET:
        case CLOSE_BRACE:
          depth--
      }
    }
  }

  #report(finding: Finding, isCutOff = false): void {
    this.isBroken = true
    if (this.#finding !== undefined) return
    if (isCutOff && this.#unterminated !== undefined) return
    if (isCutOff) this.#cutOff = finding
    this.#finding = finding
    this.#noticedAt = this.#tokens.start(this.index)
  }

  /** The first problem of the statement, or of what is left of the text at its end. */
  #takeLexical(): LexicalProblem | undefined {
    const first = this.#lexical[this.#nextLexical]
    if (!this.#isOfStatement(first)) return undefined
    while (this.#isOfStatement(this.#lexical[this.#nextLexical])) this.#nextLexical++
    return first
  }

  /** What begins a line behind the last token belongs to the next statement. */
  #isOfStatement(problem: LexicalProblem | undefined): boolean {
    if (problem === undefined || problem.start >= this.#tokens.start(this.index)) return false
    if (problem.start < this.#tokens.end(this.index - 1) || this.kind === END) return true
    return !this.#tree.lines.beginsLine(problem.start)
  }
}

/** A name that a `:` is expected behind: of a declaration, or of an argument. */
const NAME_BEFORE = /[{};,(\n\r]\s*[A-Za-z]\w*\s*$/

function lexicalFinding({ code, start, end }: LexicalProblem, text: string): Finding {
  if (code === 'unterminated-comment')
    return { code, start, end, message: 'This comment does not end. Insert `*/` where it should.' }
  const found = text.slice(start, end)
  if (found === '=' && NAME_BEFORE.test(text.slice(Math.max(0, start - 80), start)))
    return {
      code,
      start,
      end,
      message: '`=` is no character of a definition. Write `:` instead.',
      data: { replacement: ':' },
    }
  const isQuote = /^["'`]+$/.test(found)
  const mend = isQuote ? 'Values are written without quotes: remove them.' : 'Remove it.'
  const are = found.length > 1 ? 'are no characters' : 'is no character'
  return {
    code,
    start,
    end,
    message: `${shown(found)} ${are} of a definition. ${mend}`,
    // What follows a `=` elsewhere has to go with it.
    ...(found === '=' ? {} : { data: { replacement: '' } }),
  }
}

function shown(found: string): string {
  return found.includes('`') ? 'A backquote' : quote(found)
}
