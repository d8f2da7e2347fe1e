import { bindArguments } from '../argument-binding.ts'
import { TYPES, typeNamed, VISIBILITIES } from '../builtins.ts'
import { type Attribute, isAttribute, isBlock, isEntity } from '../generated/ast.ts'
import { isTypo } from '../spelling.ts'
import { nameSpan, spanOf, typeName } from '../nodes.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { dependentsOf, isRequired } from '../required-references.ts'
import { definitionIndex } from '../validation/definition-index.ts'
import { type Edit, inserting, removingDeclaration, removingNode, replacing } from './edits.ts'
import { enclosing } from './enclosing.ts'
import { alternative, type Fix, preferred, type QuickFix } from './fix.ts'

/** Changes a reference to a struct of another service to a reference to that service. */
export const referToOwner: QuickFix = (context) => {
  const attribute = enclosing(context, isAttribute)
  const struct = attribute && definitionIndex(context.result.value).blocksByName.get(typeName(attribute.type))
  const owner = struct?.$container
  if (attribute === undefined || !isBlock(owner) || owner === attribute.$container) return []
  return [
    alternative(
      `Change to \`${owner.name}\`, which has \`${typeName(attribute.type)}\``,
      replacing(nameSpan(attribute.type), owner.name),
    ),
  ]
}

/** Types of other languages that are more precise than the built-in type. */
const PRECISE_TYPES: ReadonlyMap<string, string> = new Map([
  ['long', 'int(precision: 8)'],
  ['bigint', 'int(precision: 8)'],
  ['smallint', 'int(precision: 2)'],
  ['short', 'int(precision: 2)'],
  ['byte', 'int(precision: 1)'],
  ['uint', 'int(min: 0)'],
])
/** Types of other languages that the built-in type only resembles. */
const UNLIKE_TYPES: ReadonlySet<string> = new Set(['number', 'serial'])

/** Changes an unknown type to the one that was probably meant, if its arguments keep their meaning. */
export const changeType: QuickFix = (context) => {
  const attribute = enclosing(context, isAttribute)
  const meant = context.diagnostic.data?.replacement
  if (attribute === undefined || meant === undefined) return []
  return typeNamed(meant) === undefined
    ? changeReference(attribute, meant, context.result)
    : changeToBuiltin(attribute, meant)
}

function changeToBuiltin({ type }: Attribute, meant: string): Fix[] {
  const written = typeName(type)
  const hasArguments = type.arguments !== undefined
  const place = nameSpan(type)
  if (!isNameElsewhere(written, meant)) {
    if (!isArgumentListOf(type, meant)) return []
    const fix = isTypo(written, meant) ? preferred : alternative
    return [fix(`Change to \`${meant}\``, replacing(place, meant))]
  }
  // Arguments of number types have other meanings in other languages.
  if (hasArguments && meant !== 'string' && meant !== 'data') return []
  if (hasArguments && !isArgumentListOf(type, meant)) return []
  const precise = PRECISE_TYPES.get(written.toLowerCase()) ?? meant
  const fix = UNLIKE_TYPES.has(written.toLowerCase()) ? alternative : preferred
  return [fix(`Change to \`${precise}\``, replacing(place, precise))]
}

function isNameElsewhere(written: string, meant: string): boolean {
  return TYPES.some(({ name, elsewhere }) => name === meant && elsewhere.includes(written.toLowerCase()))
}

/** Whether the arguments of an unknown type are valid for a built-in one. */
function isArgumentListOf(type: Attribute['type'], meant: string): boolean {
  return bindArguments(type.arguments, typeNamed(meant)?.parameters ?? []).problems.length === 0
}

/** Adds `@serverSet` if the reference would close a cycle, because clients could not supply it. */
function changeReference(attribute: Attribute, meant: string, result: DefinitionParseResult): Fix[] {
  const { type, $container: container } = attribute
  const target = definitionIndex(result.value).blocksByName.get(meant)
  const edits = [
    replacing(nameSpan(type), meant),
    ...(type.arguments === undefined ? [] : [removingNode(type.arguments)]),
  ]
  const isCycle =
    isEntity(container) &&
    isRequired(attribute) &&
    target?.$type === container.$type &&
    dependentsOf(container, attribute).has(meant)
  if (!isCycle) {
    const fix = type.arguments === undefined && isTypo(typeName(type), meant) ? preferred : alternative
    return [fix(`Change to \`${meant}\``, ...edits)]
  }
  const serverSet = addingServerSet(attribute)
  return serverSet === undefined
    ? []
    : [alternative(`Change to \`${meant}\` and add \`@serverSet\``, ...edits, serverSet)]
}

/** Makes a reference that closes a cycle optional, leaves it to a hook, or removes it. */
export const breakCycle: QuickFix = (context) => {
  const attribute = enclosing(context, isAttribute)
  if (attribute === undefined) return []
  const serverSet = addingServerSet(attribute)
  return [
    ...(isClient(attribute)
      ? []
      : [alternative('Make it optional with `?`', inserting(spanOf(attribute.type).end, '?'))]),
    ...(serverSet === undefined ? [] : [alternative('Add `@serverSet`, so that a hook sets it', serverSet)]),
    alternative(`Remove \`${attribute.name}\``, removingDeclaration(context.result, attribute)),
  ]
}

function isClient({ annotations }: Attribute): boolean {
  return annotations.some(({ name }) => name === 'client')
}

function addingServerSet(attribute: Attribute): Edit | undefined {
  if (attribute.annotations.some(({ name }) => VISIBILITIES.has(name))) return undefined
  return inserting(spanOf(attribute).end, ' @serverSet')
}
