import { isBroken } from '../../syntax/places.ts'
import { METADATA } from '../../vocabulary.ts'
import { around } from '../around.ts'
import { replacing, unitOf, unitText } from '../edits.ts'
import type { Refactor } from './refactoring.ts'

const ORDER: ReadonlyMap<string, number> = new Map(METADATA.map(({ name }, index) => [name, index]))

/** The metadata of a block in the order of the reference page, with its comments; all else stays where it is. */
export const sortMetadata: Refactor = (selection) => {
  const block = around(selection, 'Block')
  if (block === undefined || isBroken(block)) return []
  const metadata = block.members.filter((member) => member.$type === 'Metadata')
  const sorted = metadata.toSorted((a, b) => rank(a.name) - rank(b.name))
  const edits = metadata.flatMap((member, index) => {
    const other = sorted[index]
    if (other === undefined || other === member) return []
    return [replacing(unitOf(member), unitText(other))]
  })
  return edits.length === 0
    ? []
    : [{ title: `Sort the metadata of \`${block.name}\``, kind: 'refactor.rewrite', edits }]
}

function rank(name: string): number {
  return ORDER.get(name) ?? ORDER.size
}
