import { type AbstractCstNode, type AstNode, AstUtils, type CompositeCstNodeImpl } from 'langium'
import { type Definition, isAttribute } from '../../language/generated/ast.ts'
import type { PorticoServices } from '../../language/module.ts'
import type { DefinitionParseResult } from '../../language/parse-result.ts'
import { propertyOf } from '../../language/nodes.ts'
import { BrokenSegment } from '../../language/parser/broken-segment.ts'
import { TokenNode } from '../../language/parser/cst.ts'
import { MAX_DEPTH, nestingOf } from '../../language/parser/nesting.ts'
import { hasParseError } from '../../language/parser/parse-errors.ts'
import { type RuleResult, setContainer } from '../../language/parser/rule-parser.ts'
import { Segment } from '../../language/parser/segment.ts'
import type { IToken, TokenType } from '../../language/parser/token.ts'
import type { Span } from '../../language/raw-diagnostic.ts'

/** The position of the cursor. */
export interface Cursor {
  readonly parseResult: DefinitionParseResult
  readonly offset: number
  /** The word at the cursor, which a candidate replaces; empty if there is none. */
  readonly word: Span
  readonly segment: Segment
  /** How many tokens of the segment are before the word. */
  readonly before: number
  /** Index of the first token of the segment after the word. */
  readonly after: number
}

/** A segment that was parsed with an identifier instead of the word at the cursor, or with a string. */
export interface PlaceholderReading {
  /** The identifier or string in the syntax tree. The tree has the definition as its container, but is not one of its members. */
  readonly leaf: TokenNode
  /** It is the only word of a declaration. */
  readonly startsDeclaration: boolean
  /** The previous declaration is valid. */
  readonly isPreviousWhole: boolean
}

/** The text before the placeholder: nothing, the start of an annotation, or the end of the previous declaration. */
export type Prefix = '' | '@' | ';'

/** Placeholders, by token type. Blocks start with an uppercase letter and attributes with a lowercase one. */
const PLACEHOLDERS = { ID: '_', TEXT: '""' } as const

/** The cursor at an offset (UTF-16 code units); `undefined` in comments and strings. */
export function cursorAt(parseResult: DefinitionParseResult, offset: number): Cursor | undefined {
  const segment = segmentAt(parseResult, offset)
  const at = offset - segment.offset
  if (isInComment(segment, at)) return undefined
  const { tokens } = segment
  const found = tokens.findIndex(({ startOffset }) => startOffset >= at)
  const next = found < 0 ? tokens.length : found
  const token = tokens[next - 1]
  if (token !== undefined && endOf(token) > at && token.tokenType.name === 'TEXT') return undefined
  if (token !== undefined && endOf(token) >= at && isWordOrNumber(token))
    return { parseResult, offset, segment, word: spanOf(token, segment), before: next - 1, after: next }
  const following = tokens[next]
  const isAtWord = following?.startOffset === at && isWordOrNumber(following)
  if (isAtWord && tokens[next + 1]?.image !== ':')
    return { parseResult, offset, segment, word: spanOf(following, segment), before: next, after: next + 1 }
  return { parseResult, offset, segment, word: { start: offset, end: offset }, before: next, after: next }
}

/**
 * The cursor in a string, whose text between the quotes is its word. A string that is not closed ends at the cursor.
 * The rest of its line does not count. `undefined` outside strings.
 */
export function cursorInString(
  parseResult: DefinitionParseResult,
  offset: number,
  { parser }: PorticoServices,
): Cursor | undefined {
  const segment = segmentAt(parseResult, offset)
  const at = offset - segment.offset
  if (isInComment(segment, at)) return undefined
  const { tokens, syntaxErrors, text } = segment
  const token = tokens.find(
    (each) => each.tokenType.name === 'TEXT' && each.startOffset < at && at < endOf(each),
  )
  // The lexer rejects a quote without a second one in its line.
  const rejected = token !== undefined || syntaxErrors.length === 0 ? [] : parser.Lexer.tokenize(text).errors
  const open = rejected.findLast((error) => error.offset < at && text[error.offset] === '"')
  const start = token?.startOffset ?? open?.offset
  if (start === undefined || /[\n\r]/.test(text.slice(start, at))) return undefined
  const line = token?.startLine ?? open?.line ?? 1
  return {
    parseResult,
    offset,
    segment,
    word: {
      start: segment.offset + start + 1,
      end: token === undefined ? offset : segment.offset + endOf(token) - 1,
    },
    before: tokens.filter(({ startOffset }) => startOffset < start).length,
    after: tokens.filter(({ startLine = 1 }) => startLine <= line).length,
  }
}

function segmentAt(parseResult: DefinitionParseResult, offset: number): Segment {
  const file = parseResult.fileAt(offset)
  return (
    parseResult.segments.findLast(
      (candidate) =>
        candidate.offset <= offset && candidate.offset >= file.start && candidate.offset < file.end,
    ) ?? EMPTY
  )
}

/** The same cursor with the word or number before it as its word; `undefined` if there is none. */
export function atPreviousWord(cursor: Cursor): Cursor | undefined {
  const { before, segment, word } = cursor
  const token = segment.tokens[before - 1]
  if (word.end > word.start || token === undefined || !isWordOrNumber(token)) return undefined
  return { ...cursor, word: spanOf(token, segment), before: before - 1, after: before }
}

/** Whether the cursor is in a number. */
export function isInNumber({ before, after, segment }: Cursor): boolean {
  return after > before && segment.tokens[before]?.tokenType.name === 'NUMBER'
}

/** Whether the cursor follows a character that belongs to no token, such as the `-` of an incomplete number. */
export function isAfterUnknownCharacter({ before, offset, segment, word }: Cursor): boolean {
  const at = offset - segment.offset
  if (word.start < offset || at === 0 || /\s/.test(segment.text.charAt(at - 1))) return false
  const previous = segment.tokens[before - 1]
  if (previous !== undefined && endOf(previous) >= at) return false
  return !segment.comments.some((comment) => endOf(comment) === at)
}

/** The word at the cursor. A name that is typed in full stays a candidate, or editors would replace it by a longer one. */
export function typedWord({ parseResult, word }: Cursor): string {
  return parseResult.text.slice(word.start, word.end)
}

/** The token after the word; empty at the end of the segment. */
export function imageAfter({ after, segment }: Cursor, distance = 0): string {
  return segment.tokens[after + distance]?.image ?? ''
}

/** Offset of the end of the token before the word; `undefined` if the word is the first of its segment. */
export function endBefore({ before, segment }: Cursor): number | undefined {
  const token = segment.tokens[before - 1]
  return token && segment.offset + endOf(token)
}

/**
 * Parses the segment at the cursor with a placeholder instead of the word. If the text does not follow the grammar,
 * the declaration at the cursor is parsed up to the first error, and its brackets are closed. Returns `undefined` if
 * no word is possible.
 */
export function readWithPlaceholder(
  cursor: Cursor,
  prefix: Prefix,
  services: PorticoServices,
): PlaceholderReading | undefined {
  return new PlaceholderReader(cursor, 'ID', prefix, services).read()
}

/** The same with a string instead of the one at the cursor, which may not be closed. */
export function readWithString(cursor: Cursor, services: PorticoServices): PlaceholderReading | undefined {
  return new PlaceholderReader(cursor, 'TEXT', '', services).read()
}

class PlaceholderReader {
  readonly #cursor: Cursor
  readonly #services: PorticoServices
  readonly #placeholder: IToken
  readonly #semicolon: IToken | undefined
  readonly #segment: Segment
  #startsDeclaration = false
  #isPreviousWhole = true

  constructor(cursor: Cursor, type: keyof typeof PLACEHOLDERS, prefix: Prefix, services: PorticoServices) {
    this.#cursor = cursor
    this.#services = services
    const { after, before, segment } = cursor
    const { tokens } = segment
    this.#placeholder = this.#token(type, positionOf(cursor), PLACEHOLDERS[type])
    const near = (prefix === ';' ? tokens[before - 1] : undefined) ?? this.#placeholder
    const inserted = prefix === '' ? [] : [{ ...this.#token(prefix, near), isInsertedInRecovery: true }]
    this.#semicolon = prefix === ';' ? inserted[0] : undefined
    const all = [...tokens.slice(0, before), ...inserted, this.#placeholder, ...tokens.slice(after)]
    this.#segment = new Segment(segment.text, all, segment.comments)
    this.#segment.offset = segment.offset
  }

  read(): PlaceholderReading | undefined {
    const { imports, members } = this.#readWhole() ?? this.#readDeclarations()
    const { value: definition } = this.#cursor.parseResult
    for (const member of members) setContainer(member, definition, 'members')
    const nodes = [...imports, ...members].map(({ $cstNode }) => $cstNode as unknown as AbstractCstNode)
    const leaf = findLeaf(nodes, this.#placeholder)
    if (leaf === undefined || isInRejectedText(leaf)) return undefined
    return { leaf, startsDeclaration: this.#startsDeclaration, isPreviousWhole: this.#isPreviousWhole }
  }

  #readWhole(): Declarations | undefined {
    const tokens = [...this.#segment.tokens]
    if (nestingOf(tokens) > MAX_DEPTH) return undefined
    return this.#read<Definition>('Definition', tokens).node
  }

  #readDeclarations(): Declarations {
    const reader = {
      tokenTypes: this.#services.parser.Lexer.definition as Record<string, TokenType>,
      read: <Node extends AstNode>(rule: string, tokens: IToken[]) => this.#declaration<Node>(rule, tokens),
    }
    new BrokenSegment(this.#segment, [], reader).read()
    return this.#segment
  }

  /** Parses a declaration; the one with the placeholder up to the first error. */
  #declaration<Node extends AstNode>(rule: string, tokens: IToken[]): RuleResult<Node> {
    const at = tokens.indexOf(this.#placeholder)
    const result = this.#read<Node>(rule, tokens)
    if (!('errorIndex' in result)) return result
    if (at < 0) {
      if (this.#semicolon !== undefined && tokens.includes(this.#semicolon)) this.#isPreviousWhole = false
      return result
    }
    if (result.errorIndex <= at) return result
    const rejected = tokens[result.errorIndex]
    const isNext = result.errorIndex === at + 1
    // Next to another word, the placeholder is one word too many.
    if (isNext && rejected !== undefined && isWordOrNumber(rejected) && this.#isInLine(rejected))
      return result
    if (at === 0 && isNext) {
      if (rejected !== undefined && rejected.image !== ';' && this.#isInLine(rejected)) return result
      this.#startsDeclaration = true
      return this.#read<Node>(rule, [this.#placeholder, this.#synthetic(':'), this.#synthetic('ID')])
    }
    return this.#closed<Node>(rule, tokens.slice(0, result.errorIndex)) ?? result
  }

  /** Parses the beginning of a declaration, with its missing closing brackets. */
  #closed<Node extends AstNode>(rule: string, tokens: IToken[]): RuleResult<Node> | undefined {
    for (let count = 0; count <= MAX_DEPTH; count++) {
      const result = this.#read<Node>(rule, tokens)
      if (!('errorIndex' in result)) return result
      const { errorIndex, expected } = result
      if (errorIndex < tokens.length || (expected !== ')' && expected !== ']')) return undefined
      tokens.push(this.#synthetic(expected))
    }
    return undefined
  }

  #isInLine({ startLine }: IToken): boolean {
    return startLine === this.#placeholder.endLine
  }

  #read<Node extends AstNode>(rule: string, tokens: IToken[]): RuleResult<Node> {
    return this.#services.parser.DefinitionParser.read<Node>(rule, tokens, this.#segment)
  }

  #synthetic(type: string): IToken {
    return { ...this.#token(type, this.#placeholder), isInsertedInRecovery: true }
  }

  #token(type: string, position: Position, image = type): IToken {
    const tokenType = (this.#services.parser.Lexer.definition as Record<string, TokenType>)[type]
    if (tokenType === undefined) throw new Error(`The grammar has no token ${type}`)
    const { startOffset, startLine, startColumn, endLine, endColumn } = position
    const place = { startOffset, startLine, startColumn, endLine, endColumn }
    return { ...place, image, tokenType, tokenTypeIdx: tokenType.tokenTypeIdx ?? 0 } as IToken
  }
}

type Declarations = Pick<Segment, 'imports' | 'members'>

type Position = Pick<IToken, 'startOffset' | 'startLine' | 'startColumn' | 'endLine' | 'endColumn'>

const EMPTY = new Segment('', [], [])

/** The position of the word; without one, the position between two tokens. */
function positionOf({ after, before, offset, segment }: Cursor): Position {
  const { tokens, text } = segment
  const [replaced] = tokens.slice(before, after)
  if (replaced !== undefined) return replaced
  const startOffset = offset - segment.offset
  const previous = tokens[before - 1]
  const from = previous === undefined ? 0 : endOf(previous)
  const lines = text.slice(from, startOffset).split(/\r\n|\n|\r/)
  const startLine = (previous?.endLine ?? 1) + lines.length - 1
  const column = (lines.at(-1)?.length ?? 0) + 1
  const startColumn = lines.length === 1 ? (previous?.endColumn ?? 0) + column : column
  return { startOffset, startLine, startColumn, endLine: startLine, endColumn: startColumn }
}

/** Whether a token is in a declaration that the grammar rejects; its name may still be valid. */
function isInRejectedText(leaf: TokenNode): boolean {
  const attribute = AstUtils.getContainerOfType(leaf.astNode, isAttribute)
  return attribute !== undefined && hasParseError(attribute) && propertyOf(leaf) !== 'name'
}

function findLeaf(nodes: readonly AbstractCstNode[], token: IToken): TokenNode | undefined {
  for (const node of nodes) {
    const found =
      node instanceof TokenNode
        ? node.token === token && node
        : findLeaf((node as CompositeCstNodeImpl).content as unknown as AbstractCstNode[], token)
    if (found) return found
  }
  return undefined
}

function isWordOrNumber({ image }: IToken): boolean {
  return /^[\p{L}_$\d+\-.]/u.test(image)
}

function endOf({ image, startOffset }: IToken): number {
  return startOffset + image.length
}

function spanOf(token: IToken, { offset }: Segment): Span {
  return { start: offset + token.startOffset, end: offset + endOf(token) }
}

function isInComment({ comments, text, tokens }: Segment, at: number): boolean {
  const comment = comments.findLast(({ startOffset }) => startOffset < at)
  if (comment !== undefined) {
    const end = endOf(comment)
    if (at < end || (at === end && comment.image.startsWith('//'))) return true
  }
  // The lexer stops at a comment that is not terminated.
  const lastToken = tokens.at(-1)
  const lastComment = comments.at(-1)
  const end = Math.max(lastToken ? endOf(lastToken) : 0, lastComment ? endOf(lastComment) : 0)
  const open = at > end ? text.indexOf('/*', end) : -1
  return open >= 0 && at > open
}
