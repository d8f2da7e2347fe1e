import type { CompositeCstNode, CstNode } from 'langium'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { TokenNode } from '../language/parser/cst.ts'

/**
 * Returns the token at an offset (UTF-16 code units) in the syntax tree. Between two adjacent tokens, prefers a word
 * or number over punctuation, then the one after the offset. `undefined` in comments, between tokens, and in text
 * that is not in the tree because of a syntax error.
 */
export function leafAt(result: DefinitionParseResult, offset: number): TokenNode | undefined {
  if (commentAt(result, offset) !== undefined) return undefined
  const segments = result.segments.filter(
    (segment) => segment.offset <= offset && offset <= segment.offset + segment.text.length,
  )
  const touching = segments.flatMap(({ cst }) =>
    cst.flatMap((node) => leavesTouching(node as unknown as CstNode, offset)),
  )
  const [first, second] = touching
  if (first === undefined || second === undefined) return first
  return isWord(first) && !isWord(second) ? first : second
}

/** The comment at an offset, which may be the end of a line comment. */
export function commentAt(
  { comments }: DefinitionParseResult,
  offset: number,
): { readonly start: number; readonly end: number } | undefined {
  const index = comments.firstFrom(offset) - 1
  if (index < 0) return undefined
  const [start, end] = [comments.start(index), comments.end(index)]
  const isLine = comments.image(index).startsWith('//')
  return offset < end || (isLine && offset === end) ? { start, end } : undefined
}

function leavesTouching(node: CstNode, offset: number): TokenNode[] {
  if (node.offset > offset || node.end < offset) return []
  if (node instanceof TokenNode) return [node]
  return (node as CompositeCstNode).content.flatMap((child) => leavesTouching(child, offset))
}

function isWord({ token }: TokenNode): boolean {
  return /^[\p{L}\p{N}_$+\-.]/u.test(token.image)
}
