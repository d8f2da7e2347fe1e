import { METADATA } from '../../builtins.ts'
import { isMetadata } from '../../generated/ast.ts'
import { replacing, spanWithComments, textWithComments } from '../edits.ts'
import { intactBlock } from '../enclosing.ts'
import type { Refactor } from './refactoring.ts'

const ORDER: ReadonlyMap<string, number> = new Map(METADATA.map(({ name }, index) => [name, index]))

/** Sorts the metadata of a block, with its comments, in the order of the reference page. Nothing else moves. */
export const sortMetadata: Refactor = (selection) => {
  const { result } = selection
  const block = intactBlock(selection)
  if (block === undefined) return []
  const metadata = block.members.filter(isMetadata)
  const sorted = metadata.toSorted((a, b) => rank(a.name) - rank(b.name))
  const edits = metadata.flatMap((member, index) => {
    const other = sorted[index]
    if (other === undefined || other === member) return []
    return [replacing(spanWithComments(result, member), textWithComments(result, other))]
  })
  return edits.length === 0
    ? []
    : [{ title: `Sort metadata of \`${block.name}\``, kind: 'refactor.rewrite', edits }]
}

function rank(name: string): number {
  return ORDER.get(name) ?? ORDER.size
}
