import type { Attribute, Block } from '../generated/ast.ts'
import { type Facts, factsOf } from '../checks/facts.ts'
import type { Read } from '../syntax/read.ts'

const facts = new WeakMap<Read, Facts>()
const references = new WeakMap<Read, ReadonlyMap<Block, readonly Attribute[]>>()

/** What a definition says as a whole, worked out once for each state of its text. */
export function knownFacts(read: Read): Facts {
  let known = facts.get(read)
  if (known === undefined) {
    known = factsOf(read.definition)
    facts.set(read, known)
  }
  return known
}

/** The attributes that refer to each block, in the order of the text; worked out once for each state of the text. */
export function referencesTo(read: Read): ReadonlyMap<Block, readonly Attribute[]> {
  let known = references.get(read)
  if (known === undefined) {
    known = collectReferences(read)
    references.set(read, known)
  }
  return known
}

function collectReferences(read: Read): ReadonlyMap<Block, readonly Attribute[]> {
  const found = new Map<Block, Attribute[]>()
  for (const block of knownFacts(read).blocks) {
    for (const member of block.members) {
      const target = member.$type === 'Attribute' ? member.type.target.ref : undefined
      if (target === undefined || member.$type !== 'Attribute') continue
      const list = found.get(target)
      if (list === undefined) found.set(target, [member])
      else list.push(member)
    }
  }
  return found
}

/**
 * The blocks of which an entity has to exist before one of `block` can: a required reference from `block` to
 * one that is not among them closes no cycle; the other way round, a reference from `block` to one that needs
 * `block` does. This gives the latter: everything that needs `block`, itself included.
 */
export function dependentsOf(read: Read, block: Block, except: Attribute | undefined): ReadonlySet<Block> {
  const all = referencesTo(read)
  const found = new Set<Block>([block])
  for (const target of found) {
    for (const attribute of all.get(target) ?? []) {
      const holder = attribute.$container
      if (attribute !== except && holder.$type === 'Block' && isRequired(attribute)) found.add(holder)
    }
  }
  return found
}

/** Clients must supply it: it is neither `@server` nor `@serverSet`. */
export function isRequired(attribute: Attribute): boolean {
  return !attribute.annotations.some(({ name }) => name === 'server' || name === 'serverSet')
}
