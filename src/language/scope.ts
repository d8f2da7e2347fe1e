import type { AttributeType, Block, Definition } from './generated/ast.ts'
import { typeNamed } from './vocabulary.ts'

/** Which names of a definition can be referred to from where. Of blocks with one name the first counts. */
export interface Scope {
  /** Services by name. */
  readonly services: ReadonlyMap<string, Block>
  /** Every block of the definition by name. */
  readonly blocks: ReadonlyMap<string, Block>
}

/** The scope of a definition. Nothing of any other definition is in it. */
export function scopeOf(definition: Definition): Scope {
  const services = new Map<string, Block>()
  const blocks = new Map<string, Block>()
  const add = (block: Block): void => {
    if (!blocks.has(block.name)) blocks.set(block.name, block)
    if (block.kind === 'service' && !services.has(block.name)) services.set(block.name, block)
    for (const member of block.members) if (member.$type === 'Block') add(member)
  }
  for (const block of definition.blocks) add(block)
  return { services, blocks }
}

/**
 * The block that a type names: a service, or for an attribute of a struct a struct of the same service.
 * `undefined` for built-in types, unknown names and structs that cannot be referred to from there.
 */
export function resolveType(scope: Scope, type: AttributeType): Block | undefined {
  const name = type.target.$refText
  if (typeNamed(name) !== undefined) return undefined
  const found = scope.blocks.get(name)
  if (found?.kind !== 'struct') return scope.services.get(name)
  const holder = type.$container.$container
  const isSibling =
    holder.$type === 'Block' && holder.kind === 'struct' && holder.$container === found.$container
  return isSibling ? found : undefined
}
