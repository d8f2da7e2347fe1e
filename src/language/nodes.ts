import { type AstNode, AstUtils, type CompositeCstNode, type CstNode, GrammarAST } from 'langium'
import type { BlockKind } from './builtins.ts'
import type {
  Annotation,
  Argument,
  Attribute,
  Block,
  Metadata,
  NumberValue,
  Type,
  UnknownBlock,
  WordValue,
} from './generated/ast.ts'
import type { Span } from './raw-diagnostic.ts'
import { TokenNode } from './parser/cst.ts'

/**
 * The range of a node, without the `;` after it, as offsets in the whole text. A type that is missing because of a
 * syntax error is empty, after the name of its attribute.
 */
export function spanOf(node: AstNode): Span {
  const content = contentOf(node)
  const [first] = content
  if (first === undefined) {
    const end = node.$container === undefined ? 0 : nameSpan(node.$container as Attribute).end
    return { start: end, end }
  }
  const last = content.at(-1)
  const end = last instanceof TokenNode && last.token.image === ';' ? content.at(-2) : last
  return { start: first.offset, end: (end ?? first).end }
}

/** The same as lines and characters from 0. Tokens know them, so the text is not searched. */
export function lineRangeOf(node: AstNode): CstNode['range'] | undefined {
  const content = contentOf(node)
  const last = content.at(-1)
  const end = last instanceof TokenNode && last.token.image === ';' ? content.at(-2) : last
  const first = content[0]?.range
  return first && { start: first.start, end: end?.range.end ?? first.end }
}

/** The same of the name of a declaration. */
export function nameLineRangeOf(node: Block | Attribute | Metadata): CstNode['range'] | undefined {
  return contentOf(node).find((child) => propertyOf(child) === 'name')?.range
}

/** The range of the name of a declaration, without `@` and `#`, or of a type. The whole node if it has no name. */
export function nameSpan(
  node: Block | Attribute | Type | Annotation | Metadata | WordValue | NumberValue,
): Span {
  return propertySpan(node, node.$type === 'ReferenceType' ? 'entity' : 'name') ?? spanOf(node)
}

/** Whether the name is in the text, and not lost to a syntax error. */
export function hasName(node: Block | Attribute | Type): boolean {
  return propertySpan(node, node.$type === 'ReferenceType' ? 'entity' : 'name') !== undefined
}

/** The range of a block's kind; `undefined` if it is missing because of a syntax error. */
export function kindSpan(block: Block): Span | undefined {
  if (block.$type === 'UnknownBlock') return propertySpan(block, 'kind')
  return spanOfToken(
    contentOf(block).find((node) => node instanceof TokenNode && node.token.image === kindOf(block)),
  )
}

/** The range of a block's `{`; `undefined` if it is missing because of a syntax error. */
export function openingBrace(block: Block): Span | undefined {
  return spanOfToken(contentOf(block).find((node) => node instanceof TokenNode && node.token.image === '{'))
}

/** The kind of a block, as written. */
export function kindOf(block: Exclude<Block, UnknownBlock>): BlockKind
export function kindOf(block: Block): string
export function kindOf(block: Block): string {
  return block.$type === 'UnknownBlock' ? block.kind : KINDS[block.$type]
}

const KINDS = {
  Project: 'project',
  Service: 'service',
  Struct: 'struct',
  Endpoint: 'endpoint',
  Job: 'job',
} as const

/** Whether the name of a block has to be unique in its service alone, whose code it is called from. */
export function isNamedInService({ $type }: Block): boolean {
  return $type === 'Endpoint' || $type === 'Job'
}

/** The name of a type as written: a built-in type, or a reference. */
export function typeName(type: Type): string {
  return type.$type === 'PrimitiveType' ? type.name : type.entity.$refText
}

/** The range of the name of a named argument, or of a whole positional one. */
export function argumentSpan(argument: Argument): Span {
  return propertySpan(argument, 'name') ?? spanOf(argument)
}

/** The range of a property's value; `undefined` if it is not in the text. */
export function propertySpan(node: AstNode, property: string): Span | undefined {
  return spanOfToken(contentOf(node).find((child) => propertyOf(child) === property))
}

/** The text of the last token of a node. */
export function lastTokenText(node: AstNode): string {
  let last: CstNode | undefined = node.$cstNode
  while (last !== undefined && 'content' in last) last = (last as CompositeCstNode).content.at(-1)
  return last?.text ?? ''
}

function spanOfToken(node: CstNode | undefined): Span | undefined {
  return node === undefined ? undefined : { start: node.offset, end: node.end }
}

function contentOf(node: AstNode): readonly CstNode[] {
  return (node.$cstNode as CompositeCstNode | undefined)?.content ?? []
}

/** The property that a token is the value of; `undefined` for punctuation. */
export function propertyOf({
  grammarSource,
}: Pick<CstNode, 'grammarSource'> | TokenNode): string | undefined {
  if (grammarSource === undefined) return undefined
  let property = propertyByElement.get(grammarSource)
  if (property === undefined) {
    property = AstUtils.getContainerOfType(grammarSource, GrammarAST.isAssignment)?.feature ?? ''
    propertyByElement.set(grammarSource, property)
  }
  return property === '' ? undefined : property
}

/** The property that an element of the grammar is assigned to; empty if there is none. */
const propertyByElement = new WeakMap<AstNode, string>()
