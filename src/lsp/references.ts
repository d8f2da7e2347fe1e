import { assertNever } from '../model/platform.ts'
import { type EnumValue, enumValueNamed, transitionArguments } from '../language/enum-values.ts'
import { routeOf, segmentsOf } from '../language/endpoint-path.ts'
import { formerValuesIn } from '../language/former-name.ts'
import type {
  Annotation,
  Argument,
  Attribute,
  AttributeValue,
  Block,
  EntityValue,
  ReferenceType,
  Member,
  Metadata,
  NumberValue,
  ServiceValue,
  Setting,
  Value,
  WordValue,
} from '../language/generated/ast.ts'
import { isBlock, isServiceValue } from '../language/generated/ast.ts'
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

/** The `Auth` that contains or ends at an offset, and the `#authMethod` that declares it. */
export function calleeAt(
  result: DefinitionParseResult,
  offset: number,
): { readonly declaration: Setting; readonly span: Span } | undefined {
  const leaf = leafAt(result, offset)
  const callee = leaf && isServiceValue(leaf.astNode) ? leaf.astNode.service.ref : undefined
  if (leaf === undefined || callee?.$type !== 'Setting') return undefined
  return { declaration: callee, span: { start: leaf.offset, end: leaf.end } }
}

function declarationOf(
  node: { readonly $type: string },
  property: string | undefined,
): NamedDeclaration | undefined {
  const named = node as Member | Reference
  if (named.$type === 'Attribute' || isBlock(named)) return property === 'name' ? named : undefined
  if (named.$type === 'ReferenceType' && property !== 'entity') return undefined
  if (named.$type === 'Argument' && property !== 'name') return undefined
  return REFERENCES.has(named.$type) ? targetOf(named as Reference) : undefined
}

const REFERENCES: ReadonlySet<string> = new Set([
  'ReferenceType',
  'ServiceValue',
  'EntityValue',
  'AttributeValue',
  'WordValue',
  'NumberValue',
  'Argument',
])

type Reference =
  | ReferenceType
  | ServiceValue
  | EntityValue
  | AttributeValue
  | WordValue
  | NumberValue
  | Argument
type ReferencesByName = ReadonlyMap<string, readonly Reference[]>

const references = new WeakMap<DefinitionParseResult, ReferencesByName>()

/**
 * Returns the references to a declaration in the order of the text: types of attributes, the services, attributes and
 * roles that metadata lists, and values of an `enum` in defaults, `@was` and `@transitions`. They are collected once for each version
 * of the text; only those with the name are linked.
 */
export function referencesTo(result: DefinitionParseResult, declaration: NamedDeclaration): readonly Span[] {
  let known = references.get(result)
  if (known === undefined) references.set(result, (known = collect(result)))
  const found = (known.get(nameOf(declaration)) ?? [])
    .filter((node) => targetOf(node) === declaration)
    .map((node) => {
      if (node.$type === 'Argument') return argumentSpan(node)
      return node.$type === 'ReferenceType' ? nameSpan(node) : spanOf(node)
    })
  return declaration.$type === 'Attribute' ? [...pathParameters(declaration), ...found] : found
}

/** The parameters in the path of an endpoint that are an attribute of it. */
function pathParameters({ name, $container }: Attribute): Span[] {
  const route = $container.$type === 'Endpoint' ? routeOf($container) : undefined
  if (route === undefined) return []
  const start = spanOf(route.value).start + 1
  return segmentsOf(route.path).flatMap((segment) =>
    segment?.kind === 'parameter' && segment.text === name
      ? [{ start: start + segment.start + 1, end: start + segment.end - 1 }]
      : [],
  )
}

function nameOf(declaration: NamedDeclaration): string {
  if (declaration.$type === 'NumberValue') return declaration.text
  return declaration.$type === 'WordValue' ? declaration.word : declaration.name
}

/** The declaration that a reference leads to. */
function targetOf(node: Reference): NamedDeclaration | undefined {
  switch (node.$type) {
    case 'ReferenceType':
      return node.entity.ref
    case 'ServiceValue':
      // The authentication service has no name of the user's.
      return node.service.ref?.$type === 'Service' ? node.service.ref : undefined
    case 'EntityValue':
      return node.entity.ref
    case 'AttributeValue':
      return node.attribute.ref
    case 'WordValue':
      return roleOf(node) ?? enumValueNamed(node)
    case 'NumberValue':
    case 'Argument':
      return enumValueNamed(node)
    default:
      return assertNever(node)
  }
}

function collect({ value }: DefinitionParseResult): ReferencesByName {
  const found = new Map<string, Reference[]>()
  const add = (name: string, node: Reference): void => {
    const nodes = found.get(name)
    if (nodes === undefined) found.set(name, [node])
    else nodes.push(node)
  }
  const addTransitions = (annotation: Annotation): void => {
    for (const { argument, targets } of transitionArguments(annotation)) {
      add(argument.name, argument)
      for (const target of targets) {
        if (target.$type === 'WordValue') add(target.word, target)
        if (target.$type === 'NumberValue') add(target.text, target)
      }
    }
  }
  const addAttribute = ({ type, default: given, annotations }: Attribute): void => {
    if (type.$type === 'ReferenceType') {
      if (hasName(type)) add(type.entity.$refText, type)
    } else if (type.name === 'enum') {
      if (given?.$type === 'WordValue') add(given.word, given)
      if (given?.$type === 'NumberValue') add(given.text, given)
      for (const annotation of annotations) {
        if (annotation.name === 'transitions') addTransitions(annotation)
        else for (const pair of formerValuesIn(annotation)) add(pair.name, pair)
      }
    }
  }
  const addMember = (member: Member): void => {
    if (isBlock(member)) for (const inner of member.members) addMember(inner)
    else if (member.$type === 'Attribute') addAttribute(member)
    else
      for (const word of valuesOf(member)) {
        if (word.$type === 'ServiceValue') add(word.service.$refText, word)
        else if (word.$type === 'EntityValue') add(word.entity.$refText, word)
        else if (word.$type === 'AttributeValue') add(word.attribute.$refText, word)
        else if (word.$type === 'WordValue' && member.name !== 'roles') add(word.word, word)
      }
  }
  for (const member of value.members) addMember(member)
  return found
}

function valuesOf({ list, arguments: given }: Metadata): readonly Value[] {
  const values: readonly Value[] = list?.items ?? given?.items.map(({ value }) => value) ?? []
  return values.flatMap((value) => (value.$type === 'ListValue' ? value.items : [value]))
}
