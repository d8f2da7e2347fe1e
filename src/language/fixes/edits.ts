import type { AstNode } from 'langium'
import { type Arguments, type Block, isBlock, type ListValue } from '../generated/ast.ts'
import { spanOf } from '../nodes.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import type { Span } from '../raw-diagnostic.ts'

/** A range of the text and its replacement. Offsets refer to the text before any edit. */
export interface Edit extends Span {
  readonly text: string
}

/** The indentation of one level of nesting, as in the formatter. */
const INDENTATION = '  '

/** The line ending of a text: the one of its first line. */
export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
}

/** The white space at the start of an offset's line. */
export function indentationAt({ text, lines }: DefinitionParseResult, offset: number): string {
  const start = lines.lineStart(lines.lineAt(offset))
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

export function replacing({ start, end }: Span, text: string): Edit {
  return { start, end, text }
}

export function inserting(offset: number, text: string): Edit {
  return { start: offset, end: offset, text }
}

/** The range of a declaration, with the `;` after it. */
export function declarationSpan({ tokens }: DefinitionParseResult, node: AstNode): Span {
  const { start, end } = spanOf(node)
  const next = tokens.firstFrom(end)
  return { start, end: tokens.image(next) === ';' ? tokens.end(next) : end }
}

/** The range of a declaration with the comments before it and after it on its line, which move with it. */
export function spanWithComments(result: DefinitionParseResult, node: AstNode): Span {
  const { tokens, comments } = result
  const { start, end } = declarationSpan(result, node)
  const first = comments.firstFrom(afterComment(result, tokens.end(tokens.firstFrom(start) - 1)))
  return { start: Math.min(start, comments.start(first)), end: afterComment(result, end) }
}

/** The text of a declaration with its comments, and with a `;` if it needs one before other declarations. */
export function textWithComments(result: DefinitionParseResult, node: AstNode): string {
  const { text } = result
  const { start, end } = spanWithComments(result, node)
  const declarationEnd = declarationSpan(result, node).end
  const isEnded = isBlock(node) || text[declarationEnd - 1] === ';'
  return `${text.slice(start, declarationEnd)}${isEnded ? '' : ';'}${text.slice(declarationEnd, end)}`
}

/** Removes a declaration with all its comments. */
export function removingWithComments(result: DefinitionParseResult, node: AstNode): Edit {
  return removing(result, spanWithComments(result, node))
}

/** Removes a declaration with its documentation; other comments stay. */
export function removingDeclaration(result: DefinitionParseResult, node: AstNode): Edit {
  const { tokens, comments } = result
  const { start, end } = declarationSpan(result, node)
  const before = tokens.end(tokens.firstFrom(start) - 1)
  let first = comments.firstFrom(start)
  while (first > 0 && comments.start(first - 1) >= before && comments.type(first - 1) === 'DOC_COMMENT')
    first--
  return removing(result, { start: Math.min(start, comments.start(first)), end })
}

/** Whether comments are in a range. */
export function hasComments({ comments }: DefinitionParseResult, { start, end }: Span): boolean {
  return comments.start(comments.firstFrom(start)) < end
}

/** Removes a range: with its lines if nothing else is on them, otherwise with the space that would be left. */
function removing({ text, lines }: DefinitionParseResult, { start, end }: Span): Edit {
  const before = text.slice(lines.lineStart(lines.lineAt(start)), start)
  const after = /^([ \t]*)(\r\n|\n|\r|\}|$)/.exec(text.slice(end))
  if (after === null)
    return { start, end: end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0), text: '' }
  if (before.trim() === '' && after[2] !== '}')
    return { start: start - before.length, end: end + after[0].length, text: '' }
  return { start: start - (before.length - before.trimEnd().length), end, text: '' }
}

/** Removes an item of a list in brackets, with its comma. */
export function removingItem(
  { tokens }: DefinitionParseResult,
  list: Arguments | ListValue,
  item: AstNode,
): Edit {
  const items: readonly AstNode[] = list.items
  const index = items.indexOf(item)
  const { start, end } = spanOf(item)
  const previous = items[index - 1]
  if (previous !== undefined) return { start: spanOf(previous).end, end, text: '' }
  const next = items[index + 1]
  if (next !== undefined) return { start, end: spanOf(next).start, text: '' }
  const comma = tokens.firstFrom(end)
  return { start, end: tokens.image(comma) === ',' ? tokens.end(comma) : end, text: '' }
}

/** Removes a node and nothing else. */
export function removingNode(node: AstNode): Edit {
  return replacing(spanOf(node), '')
}

/**
 * Adds a declaration of one or more lines at the end of a block without syntax errors. The first line of the text
 * is not indented; the others are indented as in a top-level block.
 */
export function insertingMember(result: DefinitionParseResult, block: Block, text: string): Edit[] {
  const { tokens, lines } = result
  const lineEnd = lineEndOf(result.text)
  const span = spanOf(block)
  const outer = indentationAt(result, span.start)
  const inner = `${outer}${INDENTATION}`
  const indented = text.split('\n').join(`${lineEnd}${inner}`)
  const close = tokens.firstFrom(span.end) - 1
  const last = close - 1
  const needsTerminator = !/^[{};]$/.test(tokens.image(last))
  const terminator = needsTerminator ? [inserting(tokens.end(last), ';')] : []
  const offset = afterComment(result, tokens.end(last))
  const isInline = lines.lineAt(tokens.start(close)) === lines.lineAt(tokens.end(last))
  const tail = isInline ? `${lineEnd}${outer}` : ''
  const gap = isInline ? (/^[ \t]*/.exec(result.text.slice(offset))?.[0].length ?? 0) : 0
  return [...terminator, { start: offset, end: offset + gap, text: `${lineEnd}${inner}${indented}${tail}` }]
}

/** The end of the comment that follows on the same line; the offset itself if there is none. */
function afterComment({ comments, lines, text }: DefinitionParseResult, offset: number): number {
  const index = comments.firstFrom(offset)
  if (index >= comments.length) return offset
  const start = comments.start(index)
  const follows = lines.lineAt(start) === lines.lineAt(offset) && text.slice(offset, start).trim() === ''
  return follows ? comments.end(index) : offset
}

/** Adds a block at the end of the file that contains an offset, after an empty line. */
export function appendingBlock(result: DefinitionParseResult, offset: number, block: string): Edit {
  const { text, end } = result.fileAt(offset)
  const lineEnd = lineEndOf(text)
  const isEmpty = text.trim() === ''
  const isLineEnded = /(?:\r\n|\n|\r)[ \t]*$/.test(text) || isEmpty
  const gap = isEmpty ? '' : lineEnd
  return inserting(end, `${isLineEnded ? '' : lineEnd}${gap}${block.split('\n').join(lineEnd)}${lineEnd}`)
}

/** The text with the edits applied. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const { start, end, text: replacement } of edits.toSorted(
    (a, b) => a.start - b.start || a.end - b.end,
  )) {
    result += text.slice(at, start) + replacement
    at = end
  }
  return result + text.slice(at)
}

/** The smallest edit that turns one text into another. */
export function minimalEdit(before: string, after: string): Edit {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let same = 0
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++
  return { start, end: before.length - same, text: after.slice(start, after.length - same) }
}
