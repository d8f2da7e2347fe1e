import type { AstNode } from 'langium'
import type { SyntaxNode } from './syntax/nodes.ts'
import { DOC_COMMENT } from './syntax/tokens.ts'

// Control characters other than tabs and line ends have no place in the files that documentation gets into.
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/**
 * The documentation of a declaration as plain text: the `///` lines, or the last of the `/** *\/` comments,
 * directly before it, without the comment's own characters; other comments between do not matter. Lines are
 * joined by `\n`; empty without any.
 *
 * @param node a block, attribute or metadata item that `checkText` read
 */
export function documentationOf(node: AstNode): string {
  const { $tree, $first } = node as SyntaxNode
  const { tokens, comments, lines } = $tree
  const start = tokens.start($first)
  const behind = tokens.end($first - 1)
  const lineDocs: string[] = []
  for (let index = comments.firstFrom(start) - 1; index >= 0; index--) {
    const commentStart = comments.start(index)
    if (commentStart < behind) break
    if (comments.kind(index) !== DOC_COMMENT) continue
    const comment = comments.textOf(index)
    if (!comment.startsWith('///')) {
      return plain(lineDocs.length === 0 ? blockLines(comment) : lineDocs.reverse())
    }
    // Behind another declaration in its line it is a remark on that one.
    if ($first > 0 && lines.lineAt(commentStart) === lines.lineAt(behind)) break
    lineDocs.push(comment.slice(3).replace(/^ /, '').trimEnd())
  }
  return plain(lineDocs.reverse())
}

function plain(lines: readonly string[]): string {
  return trimBlankLines(lines).join('\n').toWellFormed().replace(CONTROL, '')
}

/** What is within `/** *\/`, without the stars that lines begin with. */
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
