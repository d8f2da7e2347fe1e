import { listed } from '../../naming.ts'
import {
  type Attribute,
  type Block,
  isBlock,
  isDefinition,
  isStruct,
  isUnknownBlock,
} from '../generated/ast.ts'
import { hasName, nameSpan, spanOf, typeName } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { otherLanguages } from '../other-languages.ts'
import { quote } from '../quote.ts'
import { metadataNamed, TYPES } from '../builtins.ts'
import { isMeantName, isValidBlockName } from './block.ts'
import { type ValidationContext, withSuggestion } from './context.ts'

/** The type of an attribute is a built-in type or in scope, and a reference has no arguments. */
export function checkReference(attribute: Attribute, context: ValidationContext): void {
  const { type } = attribute
  if (hasParseError(attribute) || type.$type === 'PrimitiveType' || !hasName(type)) return
  // `authMethod: email` in a project is metadata without its `#`.
  if (attribute.$container.$type === 'Project' && metadataNamed(attribute.name) !== undefined) return
  if (type.entity.ref !== undefined) {
    if (type.arguments !== undefined && type.arguments.items.length > 0)
      context.report('reference-with-arguments', spanOf(type.arguments), 'References take no arguments', {
        data: { replacement: '' },
      })
    return
  }
  const block = context.index.blocksByName.get(type.entity.$refText)
  if (block === undefined) reportUnknown(attribute, context)
  else reportUnreachable(attribute, block, context)
}

const TYPE_NAMES = TYPES.map((entry) => entry.name)

function reportUnknown(attribute: Attribute, context: ValidationContext): void {
  const name = typeName(attribute.type)
  if (context.isLostName(name) || isMeantName(name, context)) return
  // The attribute is reported, as every entity has one.
  if (attribute.name === 'id') return
  const instead = otherLanguages.type(name)
  const elsewhere = TYPES.find((entry) => entry.elsewhere.includes(name.toLowerCase()))
  const suggestion =
    instead === undefined ? (elsewhere?.name ?? suggestedType(attribute, name, context)) : undefined
  const isBlockLike = isValidBlockName(name)
  if (isBlockLike && (context.hasFailedImport || (suggestion === undefined && context.hasNamelessBlock)))
    return
  context.report(
    'unknown-type',
    nameSpan(attribute.type),
    `Unknown ${isBlockLike ? 'type or service' : 'type'} ${quote(name)}`,
    {
      help:
        instead ??
        (isBlockLike
          ? `declare a service ${quote(name)}, or use a built-in type`
          : `use a service or a built-in type: ${listed(TYPE_NAMES, 'or')}`),
      ...withSuggestion(suggestion),
    },
  )
}

/** The type that was probably meant: a built-in one, a service or a sibling of the struct. */
function suggestedType(attribute: Attribute, name: string, context: ValidationContext): string | undefined {
  const shared = suggestedSharedType(name, context)
  const struct = attribute.$container
  if (!isStruct(struct) || !isBlock(struct.$container)) return shared
  const siblings = struct.$container.members.filter(isBlock).map((sibling) => sibling.name)
  return context.spelling.suggest(name, shared === undefined ? siblings : [shared, ...siblings])
}

/** The same for types that every attribute can use. Cached, because a renamed service may have many references. */
function suggestedSharedType(name: string, context: ValidationContext): string | undefined {
  const known = context.suggestedTypes
  if (!known.has(name)) known.set(name, context.spelling.suggest(name, sharedTypes(context)))
  return known.get(name)
}

function* sharedTypes({ index }: ValidationContext): Generator<string> {
  yield* TYPE_NAMES
  for (const [name, { $type }] of index.blocksByName)
    if ($type !== 'Struct' && $type !== 'Project') yield name
}

function reportUnreachable(attribute: Attribute, block: Block, context: ValidationContext): void {
  const place = nameSpan(attribute.type)
  const related = [{ ...nameSpan(block), message: 'declared here' }]
  if (block.$type === 'Project') {
    context.report('unknown-type', place, `${quote(block.name)} is the project, not a type`, {
      help: 'reference a service or a sibling struct',
      related,
    })
    return
  }
  // A struct at the top level, or a block of unknown kind, is reported itself.
  const owner = block.$container
  if (block.$type !== 'Struct' || owner.$type === 'Definition') return
  const holder = attribute.$container
  // Nothing is known about the members of a block without a kind.
  if (isDefinition(holder) || hasParseError(holder) || isUnknownBlock(holder)) return
  const isOwn = holder === owner
  context.report(
    'struct-out-of-reach',
    place,
    isOwn
      ? `${quote(block.name)} can only be referenced from other structs of ${quote(owner.name)}`
      : `${quote(block.name)} is private to ${quote(owner.name)}`,
    {
      help: isOwn
        ? 'move this attribute into another struct, or store the values that you need instead'
        : `reference ${quote(owner.name)} instead`,
      related,
    },
  )
}
