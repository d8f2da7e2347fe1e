import { type EnumValue, enumValueNamed } from '../language/enum-values.ts'
import { formerValuesIn, wasOf } from '../language/former-name.ts'
import type {
  Argument,
  Attribute,
  AttributeValue,
  Block,
  EntityType,
  Member,
  Metadata,
  NumberValue,
  ServiceValue,
  Value,
  WordValue,
} from '../language/generated/ast.ts'
import { isBlock } from '../language/generated/ast.ts'
import { argumentSpan, hasName, nameSpan, propertyOf, spanOf } from '../language/nodes.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import type { Span } from '../language/raw-diagnostic.ts'
import { roleOf } from '../language/roles.ts'
import { leafAt } from './leaf-at.ts'

/** A declaration that the user names: a block, an attribute, a role in `#roles`, or a value of an `enum`. */
export type NamedDeclaration = Block | Attribute | EnumValue

/** A name in the text, and its declaration. */
export interface NameOccurrence {
  readonly declaration: NamedDeclaration
  /** The name, in the declaration or in a reference. */
  readonly span: Span
}

/** The name that contains or ends at an offset; `undefined` if it has no declaration. */
export function nameAt(result: DefinitionParseResult, offset: number): NameOccurrence | undefined {
  const leaf = leafAt(result, offset)
  const declaration = leaf && declarationOf(leaf.astNode, propertyOf(leaf))
  return leaf && declaration && { declaration, span: { start: leaf.offset, end: leaf.end } }
}

function declarationOf(
  node: { readonly $type: string },
  property: string | undefined,
): NamedDeclaration | undefined {
  const named = node as Member | Reference
  if (named.$type === 'Attribute' || isBlock(named)) return property === 'name' ? named : undefined
  if (named.$type === 'EntityType') return property === 'entity' ? named.entity.ref : undefined
  if (named.$type === 'ServiceValue') return named.service.ref
  if (named.$type === 'WordValue') return roleOf(named) ?? enumValueNamed(named)
  if (named.$type === 'NumberValue') return enumValueNamed(named)
  if (named.$type === 'Argument') return property === 'name' ? enumValueNamed(named) : undefined
  return named.$type === 'AttributeValue' ? named.attribute.ref : undefined
}

type Reference = EntityType | ServiceValue | AttributeValue | WordValue | NumberValue | Argument
type ReferencesByDeclaration = ReadonlyMap<NamedDeclaration, readonly Reference[]>

const references = new WeakMap<DefinitionParseResult, ReferencesByDeclaration>()

/**
 * Returns the references to a declaration in the order of the text: types of attributes, the services, attributes and
 * roles that metadata lists, and values of an `enum` in defaults and in `@was`. Computed once for each version of the
 * text.
 */
export function referencesTo(result: DefinitionParseResult, declaration: NamedDeclaration): readonly Span[] {
  let known = references.get(result)
  if (known === undefined) references.set(result, (known = collect(result)))
  return (known.get(declaration) ?? []).map((node) => {
    if (node.$type === 'Argument') return argumentSpan(node)
    return node.$type === 'EntityType' ? nameSpan(node) : spanOf(node)
  })
}

function collect({ value }: DefinitionParseResult): ReferencesByDeclaration {
  const found = new Map<NamedDeclaration, Reference[]>()
  const add = (target: NamedDeclaration | undefined, node: Reference): void => {
    if (target === undefined) return
    const nodes = found.get(target)
    if (nodes === undefined) found.set(target, [node])
    else nodes.push(node)
  }
  const addValues = (attribute: Attribute): void => {
    const { default: given } = attribute
    if (given !== undefined && given.$type !== 'TextValue') add(enumValueNamed(given), given)
    const was = wasOf(attribute)
    for (const pair of was === undefined ? [] : formerValuesIn(was)) add(enumValueNamed(pair), pair)
  }
  const addMember = (member: Member): void => {
    if (isBlock(member)) for (const inner of member.members) addMember(inner)
    else if (member.$type === 'Attribute') {
      if (member.type.$type === 'EntityType') {
        if (hasName(member.type)) add(member.type.entity.ref, member.type)
      } else if (member.type.name === 'enum') addValues(member)
    } else
      for (const word of valuesOf(member)) {
        if (word.$type === 'ServiceValue') add(word.service.ref, word)
        else if (word.$type === 'AttributeValue') add(word.attribute.ref, word)
        else if (word.$type === 'WordValue' && member.name !== 'roles') add(roleOf(word), word)
      }
  }
  for (const member of value.members) addMember(member)
  return found
}

function valuesOf({ list, arguments: given }: Metadata): readonly Value[] {
  const values: readonly Value[] = list?.items ?? given?.items.map(({ value }) => value) ?? []
  return values.flatMap((value) => (value.$type === 'ListValue' ? value.items : [value]))
}
