import type { AstNode, CompositeCstNode, CstNode } from 'langium'
import { TokenNode } from './parser/cst.ts'
import type { IToken } from './parser/token.ts'

// Control characters except tabs and line ends are not allowed in the files that documentation is copied to.
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/**
 * Returns the documentation of a declaration as plain text: the `///` lines, or the last `/** *\/` comment, directly
 * before it, without comment markers. Other comments in between are ignored. Lines are joined by `\n`; empty without
 * documentation.
 *
 * @param node a block, attribute or metadata item
 */
export function documentationOf(node: AstNode): string {
  const first = firstToken(node.$cstNode)
  if (first === undefined) return ''
  const { comments, tokens, column } = first.segment
  const before = tokens[countBefore(tokens, first.token.startOffset) - 1]
  // The previous block may end on the first line of the segment.
  const lineBefore = before?.endLine ?? (column > 0 ? 1 : 0)
  const lineDocs: string[] = []
  for (let at = countBefore(comments, first.token.startOffset) - 1; at >= 0; at--) {
    const { image, startOffset, startLine, tokenType } = comments[at] as IToken
    if (before !== undefined && startOffset < before.startOffset) break
    if (tokenType.name !== 'DOC_COMMENT') continue
    if (!image.startsWith('///')) return plain(lineDocs.length === 0 ? blockLines(image) : lineDocs.reverse())
    // After another declaration on its line, it is a remark on that one.
    if (startLine === lineBefore) break
    lineDocs.push(image.slice(3).replace(/^ /, '').trimEnd())
  }
  return plain(lineDocs.reverse())
}

/** The number of tokens that start before an offset. The list is in the order of the text. */
function countBefore(tokens: readonly IToken[], offset: number): number {
  let low = 0
  let high = tokens.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((tokens[middle]?.startOffset ?? offset) < offset) low = middle + 1
    else high = middle
  }
  return low
}

function firstToken(node: CstNode | undefined): TokenNode | undefined {
  let first: unknown = node
  while (first !== undefined && !(first instanceof TokenNode)) first = (first as CompositeCstNode).content[0]
  return first
}

function plain(lines: readonly string[]): string {
  return trimBlankLines(lines).join('\n').toWellFormed().replace(CONTROL, '')
}

/** The content of a `/** *\/` comment, without the stars at the start of lines. */
function blockLines(comment: string): string[] {
  const inner = comment.slice(3, -2)
  return inner.split(/\r\n|\n|\r/).map((line, index) => {
    if (index === 0) return line.trim()
    return line.replace(/^[ \t]*\*[ ]?|^[ \t]+/, '').trimEnd()
  })
}

function trimBlankLines(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== '')
  if (first < 0) return []
  return lines.slice(first, lines.findLastIndex((line) => line !== '') + 1)
}
