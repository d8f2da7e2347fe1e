import { type AstNode, type CstNode, CstUtils } from 'langium'

/** Doc comments by the offset of the token that they stand directly before, for one syntax tree. */
type DocumentationIndex = ReadonlyMap<number, string>

const indexes = new WeakMap<CstNode, DocumentationIndex>()

/**
 * The documentation of a declaration: the `///` lines or the block of `/**` directly before it, as plain text
 * with lines joined by `\n`; empty without any. An ordinary comment between does not part them.
 */
export function documentationOf(node: AstNode): string {
  const place = node.$cstNode
  if (place === undefined) return ''
  const root = place.root
  let index = indexes.get(root)
  if (index === undefined) {
    index = indexDocumentation(root)
    indexes.set(root, index)
  }
  return index.get(place.offset) ?? ''
}

/** One pass over all tokens: looking backwards from each declaration would be quadratic in long blocks. */
function indexDocumentation(root: CstNode): DocumentationIndex {
  const index = new Map<number, string>()
  let comments: string[] = []
  for (const leaf of CstUtils.flattenCst(root)) {
    if (leaf.tokenType.name === 'DOC_COMMENT') comments.push(leaf.text)
    else if (!leaf.hidden) {
      if (comments.length > 0) index.set(leaf.offset, documentationText(comments))
      comments = []
    }
  }
  return index
}

/** The last block comment, or the run of line comments, without its markers. */
function documentationText(comments: readonly string[]): string {
  const last = comments.at(-1) ?? ''
  if (!last.startsWith('///'))
    return trimLines(
      last
        .slice('/**'.length, -'*/'.length)
        .split(/\r\n?|\n/)
        .map(withoutStar),
    )
  const firstLine = comments.findLastIndex((comment) => !comment.startsWith('///')) + 1
  return trimLines(comments.slice(firstLine).map((comment) => comment.slice('///'.length).replace(/^ /, '')))
}

function withoutStar(line: string): string {
  return line.replace(/^\s*\*? ?/, '')
}

function trimLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}
