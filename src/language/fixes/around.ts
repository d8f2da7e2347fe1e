import { ancestry, type AnyNode } from '../editor/place.ts'
import type { Definition } from '../generated/ast.ts'
import type { BlockNode, DefinitionNode } from '../syntax/nodes.ts'
import type { Problem } from './fix.ts'

/** The innermost node of a type around a problem, itself included. */
export function around<Type extends AnyNode['$type']>(
  { node }: Pick<Problem, 'node'>,
  type: Type,
): Extract<AnyNode, { $type: Type }> | undefined {
  for (const at of ancestry(node)) if (at.$type === type) return at as Extract<AnyNode, { $type: Type }>
  return undefined
}

/** The text that a problem is about. */
export function markedText({ diagnostic: { range }, read }: Problem): string {
  return read.tree.text.slice(range.start.offset, range.end.offset)
}

/** The first block of a kind at the top. */
export function topBlock(definition: Definition, kind: string): BlockNode | undefined {
  return topBlocks(definition).find((block) => block.kind === kind)
}

/** The blocks at the top, as the parser made them. */
export function topBlocks(definition: Definition): readonly BlockNode[] {
  return (definition as unknown as DefinitionNode).blocks
}
