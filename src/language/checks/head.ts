import type { Attribute, Block, Definition } from '../generated/ast.ts'
import { hasName, isBroken, nameSpan } from '../syntax/places.ts'
import { quote } from '../syntax/quote.ts'
import { typeNamed } from '../vocabulary.ts'
import { isValidBlockName } from './block.ts'
import { type CheckContext, replacing } from './context.ts'

/**
 * `Host: serv` is the head of a block that is being written, and one mistake, not an attribute with several.
 * False where it is none.
 */
export function checkHead(attribute: Attribute, context: CheckContext): boolean {
  if (!isHead(attribute, context)) return false
  const kind = meantKind(attribute, context)
  if (kind === undefined && attribute.$container.$type === 'Block') return false
  context.report(
    'unknown-block-kind',
    nameSpan(attribute.type),
    `There is no kind of block ${quote(attribute.type.target.$refText)}. ${
      kind === undefined
        ? 'At the top stand a `project` and services: write `service`.'
        : `Did you mean \`${kind}\`?`
    }`,
    replacing(kind === undefined ? undefined : `${kind} {}`),
  )
  return true
}

/** Whether a block of this kind is being written at the top. */
export function isBeingWritten(kind: string, { strays }: Definition, context: CheckContext): boolean {
  return strays.some(
    (stray) => stray.$type === 'Attribute' && isHead(stray, context) && meantKind(stray, context) === kind,
  )
}

/** Has the name of a block, and behind it a word that means nothing. */
function isHead(attribute: Attribute, context: CheckContext): boolean {
  const { name, type, annotations } = attribute
  if (isBroken(attribute) || !isValidBlockName(name) || !hasName(type)) return false
  if (type.arguments !== undefined || annotations.length > 0) return false
  const word = type.target.$refText
  return typeNamed(word) === undefined && !context.scope.blocks.has(word)
}

/** The kind that a word, which may not be finished, stands for where the attribute stands. */
function meantKind({ $container, type }: Attribute, context: CheckContext): string | undefined {
  const kinds = kindsIn($container)
  const word = type.target.$refText
  return kinds.find((kind) => kind.startsWith(word)) ?? context.nearest.among(word, kinds)
}

function kindsIn(holder: Block | Definition): readonly string[] {
  if (holder.$type === 'Definition') return ['service', 'project']
  return holder.kind === 'service' ? ['struct'] : []
}
