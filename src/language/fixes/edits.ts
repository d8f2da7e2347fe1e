import type { ArgumentListNode, BlockNode, ListValueNode, SyntaxNode } from '../syntax/nodes.ts'
import { CLOSE_BRACE, COMMA, DOC_COMMENT, OPEN_BRACE, SEMICOLON } from '../syntax/tokens.ts'
import type { Span, SyntaxTree } from '../syntax/tree.ts'
import type { Edit } from './fix.ts'

/** What one level of nesting is indented by, as the formatter has it. */
const INDENTATION = '  '

/** The line end of a text: that of its first line. */
export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
}

/** The white space that the line of an offset begins with. */
export function indentationAt({ text, lines }: SyntaxTree, offset: number): string {
  const start = lines.lineStart(lines.lineAt(offset))
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

export function replacing({ start, end }: Span, text: string): Edit {
  return { start, end, text }
}

export function inserting(offset: number, text: string): Edit {
  return { start: offset, end: offset, text }
}

/** From the first to the last token of a node; of a declaration with the `;` behind it. */
export function tokenSpan({ $tree: { tokens }, $first, $last }: SyntaxNode): Span {
  const last = tokens.kind($last + 1) === SEMICOLON && tokens.kind($last) !== SEMICOLON ? $last + 1 : $last
  return { start: tokens.start($first), end: tokens.end(last) }
}

/** A declaration with the comments before it and the one behind it on its line: what moves as one. */
export function unitOf(node: SyntaxNode): Span {
  const { tokens, comments } = node.$tree
  const { start, end } = tokenSpan(node)
  const first = comments.firstFrom(afterComment(node.$tree, tokens.end(node.$first - 1)))
  const isBefore = first < comments.length && comments.start(first) < start
  return { start: isBefore ? comments.start(first) : start, end: afterComment(node.$tree, end) }
}

/** The text of a declaration with its comments, ended by a `;` where it needs one to stand before others. */
export function unitText(node: SyntaxNode): string {
  const { text, tokens } = node.$tree
  const { start, end } = unitOf(node)
  const declarationEnd = tokenSpan(node).end
  const isEnded = node.$type === 'Block' || tokens.kind(tokens.firstFrom(declarationEnd) - 1) === SEMICOLON
  return `${text.slice(start, declarationEnd)}${isEnded ? '' : ';'}${text.slice(declarationEnd, end)}`
}

/** Takes a declaration away with its comments, for it to stand somewhere else. */
export function removingUnit(node: SyntaxNode): Edit {
  return removing(node.$tree, unitOf(node))
}

/** Takes a declaration away with what documents it; other comments stay. */
export function removingDeclaration(node: SyntaxNode): Edit {
  const { tokens, comments } = node.$tree
  const { start, end } = tokenSpan(node)
  const before = tokens.end(node.$first - 1)
  let first = comments.firstFrom(start)
  while (first > 0 && comments.start(first - 1) >= before && comments.kind(first - 1) === DOC_COMMENT) first--
  return removing(node.$tree, { start: Math.min(start, comments.start(first)), end })
}

/** Takes a piece of the text away: with its lines, where nothing else stands on them. */
function removing({ text, lines }: SyntaxTree, { start, end }: Span): Edit {
  const lineStart = lines.lineStart(lines.lineAt(start))
  const rest = /^[ \t]*(?:\r\n|\n|\r|$)/.exec(text.slice(end))
  const isAlone = text.slice(lineStart, start).trim() === '' && rest !== null
  if (isAlone) return { start: lineStart, end: end + rest[0].length, text: '' }
  const gap = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0
  return { start, end: end + gap, text: '' }
}

/** Takes an item out of a list in brackets, with the comma that it no longer needs. */
export function removingItem(list: ArgumentListNode | ListValueNode, item: SyntaxNode): Edit {
  const { tokens } = item.$tree
  const items: readonly SyntaxNode[] = list.items
  const index = items.indexOf(item)
  const previous = items[index - 1]
  if (previous !== undefined)
    return { start: tokens.end(previous.$last), end: tokens.end(item.$last), text: '' }
  const next = items[index + 1]
  if (next !== undefined)
    return { start: tokens.start(item.$first), end: tokens.start(next.$first), text: '' }
  const last = tokens.kind(item.$last + 1) === COMMA ? item.$last + 1 : item.$last
  return { start: tokens.start(item.$first), end: tokens.end(last), text: '' }
}

/** Takes the whole list away, brackets included. */
export function removingList(list: ArgumentListNode | ListValueNode): Edit {
  const { tokens } = list.$tree
  return { start: tokens.start(list.$first), end: tokens.end(list.$last), text: '' }
}

/**
 * Puts a declaration of one or more lines into a block: at its end, or at its beginning. The text has no
 * indentation of its own on its first line; further lines are indented as in a block at the top.
 */
export function insertingMember(block: BlockNode, text: string, where: 'end' | 'beginning' = 'end'): Edit[] {
  const { tokens, lines } = block.$tree
  const lineEnd = lineEndOf(block.$tree.text)
  const open = openBrace(block)
  if (open < 0) return []
  const outer = indentationAt(block.$tree, tokens.start(block.$first))
  const inner = `${outer}${INDENTATION}`
  const indented = text.split('\n').join(`${lineEnd}${inner}`)
  const isClosed = tokens.kind(block.$last) === CLOSE_BRACE
  const lastInside = isClosed ? block.$last - 1 : block.$last
  const isEmpty = lastInside === open
  const after = isEmpty || where === 'beginning' ? open : lastInside
  const needsTerminator =
    after !== open && tokens.kind(after) !== SEMICOLON && tokens.kind(after) !== CLOSE_BRACE
  const terminator = needsTerminator ? [inserting(tokens.end(after), ';')] : []
  const offset = afterComment(block.$tree, tokens.end(after))
  const isInline = isClosed && lines.lineAt(tokens.start(block.$last)) === lines.lineAt(tokens.end(after))
  const tail = isInline ? `${lineEnd}${outer}` : ''
  const gap = isInline ? (/^[ \t]*/.exec(block.$tree.text.slice(offset))?.[0].length ?? 0) : 0
  return [...terminator, { start: offset, end: offset + gap, text: `${lineEnd}${inner}${indented}${tail}` }]
}

/** A comment on the same line goes with what it stands behind. */
function afterComment({ comments, lines, text }: SyntaxTree, offset: number): number {
  const index = comments.firstFrom(offset)
  if (index >= comments.length) return offset
  const start = comments.start(index)
  const isBehind = lines.lineAt(start) === lines.lineAt(offset) && text.slice(offset, start).trim() === ''
  return isBehind ? comments.end(index) : offset
}

/** Index of the `{` of a block; -1 where a syntax error left none. */
export function openBrace({ $tree: { tokens }, $first, $last }: BlockNode): number {
  for (let index = $first; index <= $last; index++) if (tokens.kind(index) === OPEN_BRACE) return index
  return -1
}

/** Appends a block to the end of the text, behind an empty line. */
export function appendingBlock({ text, tokens }: SyntaxTree, block: string): Edit {
  const lineEnd = lineEndOf(text)
  const isLineEnded = /(?:\r\n|\n|\r)[ \t]*$/.test(text) || tokens.length === 0
  const gap = text.trim() === '' ? '' : lineEnd
  return inserting(
    text.length,
    `${isLineEnded ? '' : lineEnd}${gap}${block.split('\n').join(lineEnd)}${lineEnd}`,
  )
}

/** The text with the edits carried out. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const { start, end, text: replacement } of [...edits].sort(
    (a, b) => a.start - b.start || a.end - b.end,
  )) {
    result += text.slice(at, start) + replacement
    at = end
  }
  return result + text.slice(at)
}
