import type { Attribute, Block } from '../generated/ast.ts'
import { hasName, isBroken, nameSpan, spanOf } from '../syntax/places.ts'
import { quote } from '../syntax/quote.ts'
import { isBlockKind, TYPES, typeNamed } from '../vocabulary.ts'
import { isMeantName, isValidBlockName } from './block.ts'
import { type CheckContext, replacing } from './context.ts'

/** The type of an attribute is built in or can be referred to from there; a reference takes no arguments. */
export function checkReference(attribute: Attribute, context: CheckContext): void {
  const { type } = attribute
  const name = type.target.$refText
  if (isBroken(attribute) || !hasName(type) || typeNamed(name) !== undefined) return
  if (type.target.ref !== undefined) {
    if (type.arguments !== undefined && type.arguments.items.length > 0)
      context.report(
        'reference-with-arguments',
        spanOf(type.arguments),
        `A reference to ${quote(name)} takes no arguments. Remove them.`,
        { data: { replacement: '' } },
      )
    return
  }
  const block = context.scope.blocks.get(name)
  if (block === undefined) reportUnknown(attribute, context)
  else reportUnreachable(attribute, block, context)
}

const TYPE_NAMES = TYPES.map((entry) => entry.name)

function reportUnknown(attribute: Attribute, context: CheckContext): void {
  const name = attribute.type.target.$refText
  if (context.isLostName(name) || isMeantName(name, context)) return
  const elsewhere = TYPES.find((entry) => entry.elsewhere.includes(name.toLowerCase()))
  const nearest = elsewhere?.name ?? context.nearest.among(name, candidates(attribute, context))
  if (nearest === undefined && context.hasNameless && isValidBlockName(name)) return
  const mend =
    nearest === undefined
      ? 'Declare a service of this name, or use a built-in type.'
      : `Did you mean \`${nearest}\`?`
  context.report(
    'unknown-type',
    nameSpan(attribute.type),
    `There is no type or service ${quote(name)}. ${mend}`,
    replacing(nearest),
  )
}

function* candidates(attribute: Attribute, context: CheckContext): Generator<string> {
  yield* TYPE_NAMES
  for (const [name, { kind }] of context.scope.blocks) if (kind !== 'struct' && kind !== 'project') yield name
  const holder = attribute.$container
  if (holder.$type !== 'Block' || holder.kind !== 'struct' || holder.$container.$type !== 'Block') return
  for (const sibling of holder.$container.members) if (sibling.$type === 'Block') yield sibling.name
}

function reportUnreachable(attribute: Attribute, block: Block, context: CheckContext): void {
  const place = nameSpan(attribute.type)
  const related = [{ ...nameSpan(block), message: `${quote(block.name)} is declared here.` }]
  if (block.kind === 'project') {
    context.report(
      'unknown-type',
      place,
      `${quote(block.name)} is the project. An attribute refers to a service or a sibling struct.`,
      { related },
    )
    return
  }
  // A struct at the top, or a block of unknown kind, was reported where it stands.
  const owner = block.$container
  if (block.kind !== 'struct' || owner.$type === 'Definition') return
  const holder = attribute.$container
  // Of what stands in a block without a kind, nothing is known.
  if (holder.$type !== 'Block' || isBroken(holder) || !isBlockKind(holder.kind)) return
  const isOwn = holder === owner
  context.report(
    'struct-out-of-reach',
    place,
    isOwn
      ? `${quote(block.name)} is a struct. Only structs of the same service can refer to it; refer from there, or store what is needed in an attribute.`
      : `${quote(block.name)} is a struct of ${quote(owner.name)}, where alone it can be referred to. Refer to the service ${quote(owner.name)} instead.`,
    { related },
  )
}
