import type { Attribute, AttributeType, Block, Metadata, WordValue } from '../generated/ast.ts'
import { hasName, nameSpan, spanOf } from '../syntax/places.ts'
import type { Read } from '../syntax/read.ts'
import type { Span } from '../syntax/tree.ts'
import { metadataNamed } from '../vocabulary.ts'
import { placeAt } from './place.ts'

/** What has a name of the user's: a block or an attribute. */
export type Declaration = Block | Attribute

/** A name in the text, and what it stands for. */
export interface NamePlace {
  readonly declaration: Declaration
  /** Where the name stands: in the declaration itself, or in what refers to it. */
  readonly span: Span
}

/** The name at an offset, in it or right behind it; `undefined` where no declaration is meant. */
export function nameAt(read: Read, offset: number): NamePlace | undefined {
  const { node, token } = placeAt(read, offset)
  if (token < 0) return undefined
  const { tokens } = read.tree
  const span = { start: tokens.start(token), end: tokens.end(token) }
  if (node.$type === 'WordValue') return namePlace(serviceIn(read, node), span)
  if (node.$type !== 'Block' && node.$type !== 'Attribute' && node.$type !== 'AttributeType') return undefined
  if (token !== node.$name) return undefined
  return namePlace(node.$type === 'AttributeType' ? node.target.ref : node, span)
}

/**
 * Where a declaration is referred to, in the order of the text: types of attributes, and the services that
 * `#uses` lists. Nothing refers to attributes. Works in broken texts.
 */
export function referencesTo(read: Read, declaration: Declaration): readonly Span[] {
  if (declaration.$type !== 'Block') return []
  const found: Span[] = []
  for (const member of membersOf(read)) {
    if (member.$type === 'Attribute') {
      if (refersTo(member.type, declaration)) found.push(nameSpan(member.type))
    } else
      for (const word of servicesOf(member))
        if (read.scope.services.get(word.word) === declaration) found.push(spanOf(word))
  }
  return found.sort((a, b) => a.start - b.start)
}

/** Every block, the ones in blocks too, in the order of the text. */
export function* blocksOf(read: Read): Generator<Block> {
  yield* blocksIn(read.definition.blocks)
}

function* blocksIn(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block
    yield* blocksIn(block.members.filter((member) => member.$type === 'Block'))
  }
}

function* membersOf(read: Read): Generator<Attribute | Metadata> {
  yield* read.definition.strays
  for (const block of blocksOf(read))
    for (const member of block.members) if (member.$type !== 'Block') yield member
}

function refersTo(type: AttributeType, block: Block): boolean {
  return hasName(type) && type.target.$refText === block.name && type.target.ref === block
}

function serviceIn(read: Read, word: WordValue): Block | undefined {
  let node: { readonly $type: string; readonly $container?: object } = word
  while (node.$container !== undefined && node.$type !== 'Metadata') node = node.$container as typeof node
  if (node.$type !== 'Metadata') return undefined
  return servicesOf(node as Metadata).includes(word) ? read.scope.services.get(word.word) : undefined
}

/** The words of metadata that takes services: `#uses[Home, Host]`, and `#uses(Home)`, which is to be mended. */
function servicesOf(metadata: Metadata): readonly WordValue[] {
  if (metadataNamed(metadata.name)?.parameter?.kind !== 'services') return []
  const values = metadata.list?.items ?? metadata.arguments?.items.map(({ value }) => value) ?? []
  return values
    .flatMap((value) => (value?.$type === 'ListValue' ? value.items : [value]))
    .filter((value) => value?.$type === 'WordValue')
}

function namePlace(declaration: Declaration | undefined, span: Span): NamePlace | undefined {
  return declaration === undefined ? undefined : { declaration, span }
}
