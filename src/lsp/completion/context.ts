import { type AstNode, AstUtils } from 'langium'
import { isBlockKind } from '../../language/builtins.ts'
import {
  type Annotation,
  type Argument,
  type Attribute,
  type AttributeValue,
  type Block,
  type Definition,
  isAnnotation,
  isAttribute,
  isMetadata,
  isUnknownBlock,
  type ListValue,
  type Metadata,
  type ServiceValue,
  type Type,
  type UnknownBlock,
} from '../../language/generated/ast.ts'
import { propertyOf, typeName } from '../../language/nodes.ts'
import type { PorticoServices } from '../../language/module.ts'
import type { DefinitionParseResult } from '../../language/parse-result.ts'
import {
  atPreviousWord,
  type Cursor,
  cursorAt,
  isAfterUnknownCharacter,
  isInNumber,
  type PlaceholderReading,
  type Prefix,
  readWithPlaceholder,
} from './placeholder.ts'

/** The common fields of all contexts. */
interface ContextBase {
  readonly cursor: Cursor
  readonly services: PorticoServices
  /** The block around the declaration at the cursor, without the word at the cursor. */
  readonly container: Block | Definition
}

/** The node at the cursor. Nodes contain a placeholder instead of the word. */
export type CompletionContext =
  | DeclarationContext
  | KindContext
  | TypeContext
  | DefaultContext
  | AnnotationContext
  | MetadataContext
  | ArgumentContext
  | ItemContext

/** The start of a declaration. */
export interface DeclarationContext extends ContextBase {
  readonly kind: 'declaration'
  /** The previous declaration is complete, but has no `;`. */
  readonly needsSemicolon: boolean
}

/** The kind of a block, or the type of an attribute at the top level. */
export interface KindContext extends ContextBase {
  readonly kind: 'kind'
  readonly declaration: Attribute | UnknownBlock
}

export interface TypeContext extends ContextBase {
  readonly kind: 'type'
  readonly attribute: Attribute
}

/** The default of an attribute. */
export interface DefaultContext extends ContextBase {
  readonly kind: 'default'
  readonly attribute: Attribute
}

export interface AnnotationContext extends ContextBase {
  readonly kind: 'annotation'
  readonly attribute: Attribute
  readonly annotation: Annotation
  /** Offset of its `@`; `undefined` if it is not in the text yet. */
  readonly sign: number | undefined
}

export interface MetadataContext extends ContextBase {
  readonly kind: 'metadata'
  readonly metadata: Metadata
}

/** An argument in parentheses: its name, or its value. */
export interface ArgumentContext extends ContextBase {
  readonly kind: 'argument'
  readonly owner: Type | Annotation | Metadata
  readonly argument: Argument
  readonly property: 'name' | 'value'
}

/** An item of a list. */
export interface ItemContext extends ContextBase {
  readonly kind: 'item'
  readonly owner: Annotation | Metadata
  readonly list: ListValue
  /** The reference to a service or an attribute at the cursor; `undefined` if items are words. */
  readonly reference: ServiceValue | AttributeValue | undefined
}

/**
 * Returns the contexts at an offset (UTF-16 code units), as the grammar reads it. Empty in comments, in numbers and
 * where the user chooses a new name. A new line after an attribute without `;` has two: an annotation, and the next
 * declaration.
 */
export function completionContextsAt(
  parseResult: DefinitionParseResult,
  offset: number,
  services: PorticoServices,
): readonly CompletionContext[] {
  const cursor = cursorAt(parseResult, offset)
  if (cursor === undefined || isInNumber(cursor) || isAfterUnknownCharacter(cursor)) return []
  const reading = readWithPlaceholder(cursor, '', services)
  if (reading !== undefined) return contextOf(reading, '', cursor, services)
  const beginsLine = parseResult.lines.beginsLine(cursor.word.start)
  const prefixes: readonly Prefix[] = beginsLine ? ['@', ';'] : ['@']
  return prefixes.flatMap((prefix) => {
    const found = readWithPlaceholder(cursor, prefix, services)
    return found === undefined ? [] : contextOf(found, prefix, cursor, services)
  })
}

/** The argument or item at an offset, which may be a number or still empty; `undefined` outside brackets. */
export function argumentContextAt(
  parseResult: DefinitionParseResult,
  offset: number,
  services: PorticoServices,
): ArgumentContext | ItemContext | undefined {
  const cursor = cursorAt(parseResult, offset)
  for (const candidate of [cursor, cursor && atPreviousWord(cursor)]) {
    const reading = candidate && readWithPlaceholder(candidate, '', services)
    if (candidate === undefined || reading === undefined) continue
    const [context] = contextOf(reading, '', candidate, services)
    if (context?.kind === 'argument' || context?.kind === 'item') return context
  }
  return undefined
}

function contextOf(
  { leaf, startsDeclaration, isPreviousWhole }: PlaceholderReading,
  prefix: Prefix,
  cursor: Cursor,
  services: PorticoServices,
): CompletionContext[] {
  const node = leaf.astNode
  const declaration = AstUtils.getContainerOfType(node, isMember)
  const property = propertyOf(leaf)
  if (declaration === undefined) return []
  const base: ContextBase = { cursor, services, container: declaration.$container }
  if (startsDeclaration)
    return [{ ...base, kind: 'declaration', needsSemicolon: prefix === ';' && isPreviousWhole }]
  switch (node.$type) {
    case 'ReferenceType': {
      const attribute = node.$container as Attribute
      const isBlock = base.container.$type === 'Definition' || /^\p{Lu}/u.test(attribute.name)
      return [
        isBlock ? { ...base, kind: 'kind', declaration: attribute } : { ...base, kind: 'type', attribute },
      ]
    }
    case 'UnknownBlock':
      return property === 'kind' && isUnknownBlock(declaration)
        ? [{ ...base, kind: 'kind', declaration }]
        : []
    case 'Annotation': {
      if (base.container.$type === 'Definition' || !isAttribute(declaration)) return []
      // The head of a block.
      if (isBlockKind(typeName(declaration.type))) return []
      const annotation = node as Annotation
      const sign = prefix === '@' ? undefined : annotation.$cstNode?.offset
      return [{ ...base, kind: 'annotation', attribute: declaration, annotation, sign }]
    }
    case 'Setting':
    case 'Quoted':
    case 'Returns':
      return isMetadata(declaration) ? [{ ...base, kind: 'metadata', metadata: declaration }] : []
    case 'Argument':
      return argumentContext(base, node as Argument, 'name')
    case 'WordValue':
    case 'EntityValue':
      return valueContext(base, node, undefined)
    case 'ServiceValue':
    case 'AttributeValue':
      return valueContext(base, node, node as ServiceValue | AttributeValue)
    default:
      return []
  }
}

function valueContext(
  base: ContextBase,
  node: AstNode,
  reference: ServiceValue | AttributeValue | undefined,
): CompletionContext[] {
  const around = node.$container
  if (around?.$type === 'Attribute') return [{ ...base, kind: 'default', attribute: around as Attribute }]
  if (around?.$type === 'Argument') return argumentContext(base, around as Argument, 'value')
  const list = around as ListValue
  // A list is the value of metadata, with or without the parameter's name, or of an annotation. Nested lists have no meaning.
  const owner = list.$container.$type === 'Argument' ? list.$container.$container.$container : list.$container
  return isMetadata(owner) || isAnnotation(owner) ? [{ ...base, kind: 'item', owner, list, reference }] : []
}

function argumentContext(
  base: ContextBase,
  argument: Argument,
  property: 'name' | 'value',
): CompletionContext[] {
  return [{ ...base, kind: 'argument', owner: argument.$container.$container, argument, property }]
}

function isMember(node: AstNode): node is Attribute | Metadata | UnknownBlock {
  return isAttribute(node) || isMetadata(node) || isUnknownBlock(node)
}
