import type { Attribute, Block, Definition } from '../generated/ast.ts'
import { type Facts, metadataOf } from '../checks/facts.ts'
import type { Read } from '../syntax/read.ts'

/** What features ask of a definition as a whole; the rest of what checks know costs more to find out. */
export type KnownFacts = Pick<Facts, 'project' | 'authMethod' | 'blocks'>

const facts = new WeakMap<Read, KnownFacts>()
const references = new WeakMap<Read, ReadonlyMap<Block, readonly Attribute[]>>()

/** What a definition says as a whole, worked out once for each state of its text. */
export function knownFacts(read: Read): KnownFacts {
  let known = facts.get(read)
  if (known === undefined) {
    known = collectFacts(read.definition)
    facts.set(read, known)
  }
  return known
}

function collectFacts(definition: Definition): KnownFacts {
  const blocks: Block[] = []
  const add = (block: Block): void => {
    blocks.push(block)
    for (const member of block.members) if (member.$type === 'Block') add(member)
  }
  for (const block of definition.blocks) add(block)
  const projects = blocks.filter(({ kind }) => kind === 'project')
  return {
    project: projects[0],
    authMethod: projects.map((block) => metadataOf(block, 'authMethod')).find((found) => found !== undefined),
    blocks,
  }
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

/**
 * Whether an entity of `target` has to exist before one of `block` can: `target` is among what `block` refers to.
 *
 * @param free blocks of which it is known that they do not need `target`; more are added
 */
export function needs(block: Block, target: Block, free: Set<Block>): boolean {
  const found = new Set<Block>([block])
  for (const one of found) {
    if (one === target) return true
    if (free.has(one)) continue
    for (const member of one.members) {
      const other = member.$type === 'Attribute' && isRequired(member) ? member.type.target.ref : undefined
      if (other !== undefined) found.add(other)
    }
  }
  for (const one of found) free.add(one)
  return false
}

/** Clients must supply it: it is neither `@server` nor `@serverSet`. */
export function isRequired(attribute: Attribute): boolean {
  return !attribute.annotations.some(({ name }) => name === 'server' || name === 'serverSet')
}
