import type { Definition } from '../generated/ast.ts'
import type { Read } from '../syntax/read.ts'
import type {
  AnnotationNode,
  ArgumentListNode,
  ArgumentNode,
  AttributeNode,
  AttributeTypeNode,
  BlockNode,
  DefinitionNode,
  ListValueNode,
  MetadataNode,
  SyntaxNode,
  ValueNode,
} from '../syntax/nodes.ts'

/** Any node of a syntax tree; `$type` tells which. */
export type AnyNode =
  | DefinitionNode
  | BlockNode
  | AttributeNode
  | AttributeTypeNode
  | AnnotationNode
  | MetadataNode
  | ArgumentListNode
  | ArgumentNode
  | ValueNode

/** What an offset of a text is in. */
export interface Place {
  /** The innermost node around the token; the whole definition where there is none. */
  readonly node: AnyNode
  /** Index of the token that the offset is in or right behind; -1 between tokens and in comments. */
  readonly token: number
  /** Index of the last token that ends at the offset or before it; -1 before the first. */
  readonly before: number
  /** Index of the comment that the offset is in; -1 outside of comments. */
  readonly comment: number
}

/**
 * The place of an offset (UTF-16 code units). Of two tokens that touch there a word or number wins over
 * punctuation, and else the one behind the offset. Works in broken texts: what belongs to no node is in the
 * block around it. Logarithmic in the tokens, linear in the members of the blocks around.
 */
export function placeAt({ definition, tree }: Read, offset: number): Place {
  const { tokens, comments } = tree
  const behind = tokens.firstFrom(offset)
  const before = behind > 0 && tokens.end(behind - 1) > offset ? behind - 2 : behind - 1
  const token = touching(tree, offset, behind)
  const comment = commentAt(comments, offset)
  const anchor = token >= 0 ? token : before
  return {
    node: nodeAround(definition, anchor, token >= 0),
    token: comment >= 0 ? -1 : token,
    before,
    comment,
  }
}

/** The innermost node that has this token. */
export function nodeAtToken(definition: Definition, token: number): AnyNode {
  return nodeAround(definition, token, true)
}

/** The nodes around a node, from itself to the definition. */
export function* ancestry(node: AnyNode): Generator<AnyNode> {
  for (let at: AnyNode | undefined = node; at !== undefined; at = containerOf(at)) yield at
}

/** The block around a node, itself included; `undefined` outside of every block. */
export function blockAround(node: AnyNode): BlockNode | undefined {
  for (const at of ancestry(node)) if (at.$type === 'Block') return at
  return undefined
}

function containerOf(node: AnyNode): AnyNode | undefined {
  return node.$type === 'Definition' ? undefined : node.$container
}

function touching({ tokens }: Read['tree'], offset: number, behind: number): number {
  const startsHere = behind < tokens.length && tokens.start(behind) === offset
  const touchesBefore = behind > 0 && tokens.end(behind - 1) >= offset
  if (startsHere && touchesBefore)
    return isWord(tokens.kind(behind - 1)) && !isWord(tokens.kind(behind)) ? behind - 1 : behind
  if (startsHere) return behind
  return touchesBefore ? behind - 1 : -1
}

/** Names and numbers have the lowest kinds but `END`. */
function isWord(kind: number): boolean {
  return kind === 1 || kind === 2
}

function commentAt(comments: Read['tree']['comments'], offset: number): number {
  const index = comments.firstFrom(offset) - 1
  if (index < 0) return -1
  const isLine = comments.textOf(index).startsWith('//')
  const end = comments.end(index)
  return offset < end || (isLine && offset === end) ? index : -1
}

function nodeAround(definition: Definition, anchor: number, exact: boolean): AnyNode {
  let node = definition as unknown as AnyNode
  for (;;) {
    const inner = childrenOf(node).find((child) => holds(child, anchor, exact))
    if (inner === undefined) return node
    node = inner
  }
}

/** Between tokens the last one before counts, where what it is in has not ended with it. */
function holds(node: SyntaxNode, anchor: number, exact: boolean): boolean {
  return anchor >= node.$first && (exact ? anchor <= node.$last : anchor < node.$last || node.$broken)
}

function childrenOf(node: AnyNode): readonly AnyNode[] {
  switch (node.$type) {
    case 'Definition':
      return [...node.blocks, ...node.strays]
    case 'Block':
      return node.members
    case 'Attribute':
      return node.type.$first === node.$first ? node.annotations : [node.type, ...node.annotations]
    case 'AttributeType':
      return node.arguments === undefined ? [] : [node.arguments]
    case 'Metadata':
      return [node.arguments, node.list].filter(
        (child): child is ArgumentListNode | ListValueNode => child !== undefined,
      )
    case 'ArgumentList':
    case 'ListValue':
      return node.items
    case 'Argument':
      return [node.value]
    case 'Annotation':
    case 'WordValue':
    case 'NumberValue':
      break
  }
  return []
}
