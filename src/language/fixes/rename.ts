import { kebabCase, snakeCase } from '../../model/names.ts'
import { nameSpan } from '../syntax/places.ts'
import { blocksOf, referencesTo } from '../editor/symbols.ts'
import type { BlockNode } from '../syntax/nodes.ts'
import type { Read } from '../syntax/read.ts'
import type { Span } from '../syntax/tree.ts'
import { around } from './around.ts'
import { replacing } from './edits.ts'
import { alternative, type Edit, preferred, type QuickFix } from './fix.ts'

/** A block's name in the wrong form, mended at its declaration and at all its uses. */
export const renameEverywhere: QuickFix = ({ diagnostic: { data }, node, read }) => {
  const block = around({ node }, 'Block')
  if (block === undefined || data?.replacement === undefined) return []
  const uses = referencesTo(read, block)
  const where = uses.length === 0 ? '' : ', also where it is used'
  const others = [...blocksOf(read)].filter((other) => other !== block).map((other) => other.name)
  const name = freeAmong(others, data.replacement, kebabCase)
  const fix = name === data.replacement ? preferred : alternative
  return [fix(`Rename to \`${name}\`${where}`, ...renaming(block, uses, name))]
}

/** An attribute's name in the wrong form. */
export const mendAttributeName: QuickFix = ({ diagnostic: { data }, node }) => {
  const attribute = around({ node }, 'Attribute')
  if (attribute === undefined || data?.replacement === undefined) return []
  const { members } = attribute.$container.$type === 'Block' ? attribute.$container : { members: [] }
  const others = members.filter((other) => other.$type === 'Attribute' && other !== attribute)
  const name = freeAmong(
    others.map((other) => other.name),
    data.replacement,
    snakeCase,
  )
  const fix = name === data.replacement ? preferred : alternative
  return [fix(`Change to \`${name}\``, replacing(nameSpan(attribute), name))]
}

/** A name that the output keeps for something else: a free one, also at all its uses. */
export const renameReserved: QuickFix = ({ node, read }) => {
  const block = around({ node }, 'Block')
  if (block === undefined) return []
  const name = freeBlockName(read, `${block.name}${block.kind === 'struct' ? 'Entry' : 'Service'}`)
  return [alternative(`Rename to \`${name}\``, ...renaming(block, referencesTo(read, block), name))]
}

/** A block whose name is taken. What refers to the name goes on meaning the first. */
export const renameBlock: QuickFix = ({ node, read }) => {
  const block = around({ node }, 'Block')
  if (block === undefined) return []
  const name = freeBlockName(read, block.name)
  return [alternative(`Rename to \`${name}\``, replacing(nameSpan(block), name))]
}

/** An attribute whose name or column is taken. */
export const renameAttribute: QuickFix = ({ node }) => {
  const attribute = around({ node }, 'Attribute')
  if (attribute === undefined || attribute.$container.$type !== 'Block') return []
  const taken = new Set(
    attribute.$container.members
      .filter(({ $type }) => $type === 'Attribute')
      .map(({ name }) => snakeCase(name)),
  )
  const name = numbered(attribute.name, (candidate) => !taken.has(snakeCase(candidate)))
  return [alternative(`Rename to \`${name}\``, replacing(nameSpan(attribute), name))]
}

/** A name that no block has, also not in the forms that the output uses: `name` itself or with a number. */
export function freeBlockName(read: Read, name: string): string {
  return freeAmong(
    [...blocksOf(read)].map((block) => block.name),
    name,
    kebabCase,
  )
}

/** A name itself, or with a number, that is none of the others in the form that the output uses. */
function freeAmong(others: readonly string[], name: string, form: (name: string) => string): string {
  const taken = new Set(others.map(form))
  return taken.has(form(name)) ? numbered(name, (candidate) => !taken.has(form(candidate))) : name
}

function renaming(block: BlockNode, uses: readonly Span[], name: string): Edit[] {
  return [nameSpan(block), ...uses].map((span) => replacing(span, name))
}

function numbered(name: string, isFree: (candidate: string) => boolean): string {
  const base = name.replace(/\d+$/, '')
  let number = 2
  while (!isFree(`${base}${number}`)) number++
  return `${base}${number}`
}
