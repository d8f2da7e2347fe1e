import type { AstNode } from 'langium'
import type { Annotation, Argument, Attribute, AttributeType, Block, Metadata } from '../generated/ast.ts'
import type { BlockNode, Named, SyntaxNode } from './nodes.ts'
import { SEMICOLON } from './tokens.ts'
import type { Span } from './tree.ts'

// Every node that checks see was made by the parser, so it has the properties of its nodes.

/** Whether a syntax error is in it, so that what it lacks or repeats is no mistake of its own. */
export function isBroken(node: AstNode): boolean {
  return (node as SyntaxNode).$broken
}

/** The whole of a node, without the `;` behind it. */
export function spanOf(node: AstNode): Span {
  const { $tree, $first, $last } = node as SyntaxNode
  const { tokens } = $tree
  const last = $last > $first && tokens.kind($last) === SEMICOLON ? $last - 1 : $last
  return { start: tokens.start($first), end: tokens.end(last) }
}

/** The name of a declaration, without `@` and `#`; the whole node where a syntax error left no name. */
export function nameSpan(node: Block | Attribute | AttributeType | Annotation | Metadata): Span {
  const { $tree, $name } = node as unknown as SyntaxNode & Named
  return $name < 0 ? spanOf(node) : { start: $tree.tokens.start($name), end: $tree.tokens.end($name) }
}

/** Whether the name is there, and not lost to a syntax error. */
export function hasName(node: Block | Attribute | AttributeType): boolean {
  return (node as unknown as Named).$name >= 0
}

/** The kind of a block; `undefined` where a syntax error left none. */
export function kindSpan(block: Block): Span | undefined {
  const { $tree, $kind } = block as unknown as BlockNode
  return $kind < 0 ? undefined : { start: $tree.tokens.start($kind), end: $tree.tokens.end($kind) }
}

/** The name of a named argument, the whole of a positional one. */
export function argumentSpan(argument: Argument): Span {
  if (argument.name === undefined) return spanOf(argument)
  const { $tree, $first } = argument as unknown as SyntaxNode
  return { start: $tree.tokens.start($first), end: $tree.tokens.end($first) }
}
