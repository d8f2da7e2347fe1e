import { METADATA, TYPES } from '../../vocabulary.ts'
import type { BlockNode, DefinitionNode } from '../../syntax/nodes.ts'
import type { Read } from '../../syntax/read.ts'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  HASH,
  NAME,
  NUMBER,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  type Tokens,
} from '../../syntax/tokens.ts'
import type { Span, SyntaxTree } from '../../syntax/tree.ts'

/**
 * The declaration that somebody is writing at an offset, as far as it goes: found by its tokens, as half of a
 * declaration is seldom in the tree.
 */
export interface Statement {
  readonly read: Read
  readonly offset: number
  /** The block that it stands in; the definition outside of every block. */
  readonly holder: BlockNode | DefinitionNode
  /** Index of its first token; the same as `end` where nothing is written yet. */
  readonly first: number
  /** Index of the token behind the last one before the word. */
  readonly end: number
  /** The word that is being written, which an offer takes the place of; empty at the offset where there is none. */
  readonly word: Span
  /** Index of the first token behind the word. */
  readonly next: number
  /** Nothing but white space stands before the word in its line. */
  readonly beginsLine: boolean
}

/** The statement at an offset; `undefined` in comments, numbers and where no statement can stand. */
export function statementAt(read: Read, offset: number): Statement | undefined {
  const { tree, definition } = read
  if (isInComment(tree, offset)) return undefined
  const { tokens, lines } = tree
  const behind = tokens.firstFrom(offset)
  const isInWord = behind > 0 && tokens.end(behind - 1) >= offset && isWord(tokens.kind(behind - 1))
  const end = isInWord ? behind - 1 : behind
  if (isInWord && tokens.kind(end) === NUMBER) return undefined
  if (!isInWord && isBehindStray(tree, offset, behind)) return undefined
  const holder = holderOf(definition as DefinitionNode, end, tree)
  const first = statementStart(tree, end)
  const touched = !isInWord && first < end && tokens.start(behind) === offset && tokens.kind(behind) === NAME
  const hasWord = isInWord || (touched && tokens.kind(behind + 1) !== COLON)
  const word = hasWord ? { start: tokens.start(end), end: tokens.end(end) } : { start: offset, end: offset }
  return {
    read,
    offset,
    holder,
    first,
    end,
    word,
    next: hasWord ? end + 1 : end,
    beginsLine: lines.beginsLine(word.start),
  }
}

function isWord(kind: number): boolean {
  return kind === NAME || kind === NUMBER
}

/** Right behind a character that is in no token: the `-` of a number that is being written. */
function isBehindStray({ tokens, comments, text }: SyntaxTree, offset: number, behind: number): boolean {
  if (offset === 0 || tokens.end(behind - 1) >= offset || /\s/.test(text.charAt(offset - 1))) return false
  const comment = comments.firstFrom(offset) - 1
  return comment < 0 || comments.end(comment) < offset
}

function isInComment({ tokens, comments, text }: SyntaxTree, offset: number): boolean {
  const index = comments.firstFrom(offset) - 1
  if (index >= 0) {
    const isLine = comments.textOf(index).startsWith('//')
    if (offset < comments.end(index) || (isLine && offset === comments.end(index))) return true
  }
  // Reading ends where a comment does not.
  const read = Math.max(tokens.end(tokens.length - 1), comments.end(comments.length - 1))
  const open = offset > read ? text.indexOf('/*', read) : -1
  return open >= 0 && offset > open
}

/** The innermost block whose braces are around the place before this token. */
function holderOf(definition: DefinitionNode, end: number, tree: SyntaxTree): BlockNode | DefinitionNode {
  let holder: BlockNode | DefinitionNode = definition
  for (;;) {
    const blocks: readonly BlockNode[] =
      holder.$type === 'Definition'
        ? holder.blocks
        : holder.members.filter((member) => member.$type === 'Block')
    const inner = blocks.find((block) => isIn(block, end, tree.tokens))
    if (inner === undefined) return holder
    holder = inner
  }
}

function isIn(block: BlockNode, end: number, tokens: Tokens): boolean {
  if (end <= block.$first || end > block.$last + 1) return false
  const open = openBrace(block, tokens)
  return open >= 0 && end > open && end <= (closeBrace(block, tokens) ?? block.$last + 1)
}

/** Index of the `{` of a block; -1 where it has none. */
export function openBrace(block: BlockNode, tokens: Tokens): number {
  for (let index = Math.max(block.$first, block.$name, block.$kind); index <= block.$last; index++) {
    if (tokens.kind(index) === OPEN_BRACE) return index
  }
  return -1
}

/** Index of the `}` of a block; `undefined` where it has none. */
function closeBrace(block: BlockNode, tokens: Tokens): number | undefined {
  const isOfChild = block.members.some((member) => member.$type === 'Block' && member.$last === block.$last)
  return !isOfChild && tokens.kind(block.$last) === CLOSE_BRACE ? block.$last : undefined
}

const PARAMETERS: ReadonlySet<string> = new Set([
  ...TYPES.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
  ...METADATA.flatMap(({ parameter }) => parameter?.name ?? []),
])

/** Index of the first token of the statement that the token `end` is, or would be, in. */
export function statementStart(tree: SyntaxTree, end: number): number {
  const { tokens } = tree
  let first = end
  while (first > 0 && !ENDS.has(tokens.kind(first - 1))) first--
  let depth = 0
  for (let index = first; index < end; index++) {
    const kind = tokens.kind(index)
    if (kind === OPEN_PAREN || kind === OPEN_BRACKET) depth++
    else if (kind === CLOSE_PAREN || kind === CLOSE_BRACKET) depth--
    else if (index > first && beginsStatement(tree, index, depth)) {
      first = index
      depth = 0
    }
  }
  return first
}

const ENDS: ReadonlySet<number> = new Set([SEMICOLON, OPEN_BRACE, CLOSE_BRACE])

/** Whether a statement begins at this token, though the one before, in which `depth` brackets are open, has no end. */
export function beginsStatement({ tokens, lines }: SyntaxTree, index: number, depth: number): boolean {
  if (tokens.kind(index) === HASH) return true
  if (tokens.kind(index) !== NAME || tokens.kind(index + 1) !== COLON) return false
  return lines.beginsLine(tokens.start(index)) && (depth <= 0 || !PARAMETERS.has(tokens.textOf(index)))
}
