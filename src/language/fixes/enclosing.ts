import { type AstNode, AstUtils, type CompositeCstNode, type CstNode } from 'langium'
import {
  type Block,
  type Definition,
  isBlock,
  isProject,
  isService,
  type Project,
  type Service,
} from '../generated/ast.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { TokenNode } from '../parser/cst.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import type { FixContext } from './fix.ts'

/** The innermost node with a token at an offset; the definition if there is none. */
export function nodeAt(result: DefinitionParseResult, offset: number): AstNode {
  const segment = result.segments.findLast(({ offset: start }) => start <= offset)
  let node: AstNode = result.value
  let content = (segment?.cst ?? []) as readonly unknown[] as readonly CstNode[]
  for (;;) {
    const inner = content.find(({ offset: start, end }) => start <= offset && offset < end)
    if (inner === undefined) return node
    node = inner.astNode
    if (inner instanceof TokenNode) return node
    content = (inner as CompositeCstNode).content
  }
}

/** The innermost node of a type that contains a problem. */
export function enclosing<Node extends AstNode>(
  { node }: Pick<FixContext, 'node'>,
  isOfType: (node: AstNode) => node is Node,
): Node | undefined {
  return AstUtils.getContainerOfType(node, isOfType)
}

/** The block that contains a problem, unless its content is uncertain because of syntax errors. */
export function intactBlock(context: Pick<FixContext, 'node'>): Block | undefined {
  const block = enclosing(context, isBlock)
  return block === undefined || hasParseError(block) ? undefined : block
}

/** The text in the range of a problem. */
export function diagnosticText({ diagnostic: { range }, result }: FixContext): string {
  return result.text.slice(range.start.offset, range.end.offset)
}

/** The first project of a definition. */
export function firstProject({ members }: Definition): Project | undefined {
  return members.find(isProject)
}

/** The services at the top level that members can be added to. */
export function intactServices({ members }: Definition): readonly Service[] {
  return members.filter(isService).filter((service) => !hasParseError(service))
}
