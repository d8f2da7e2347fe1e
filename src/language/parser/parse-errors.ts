import type { AstNode } from 'langium'

const broken = new WeakSet<AstNode>()

/** Marks a node whose text contains a syntax error. */
export function markParseError(node: AstNode): void {
  broken.add(node)
}

/** Whether a node contains a syntax error, so that missing or duplicate parts are not reported separately. */
export function hasParseError(node: AstNode): boolean {
  return broken.has(node)
}
