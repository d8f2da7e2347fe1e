import { isBroken } from '../syntax/places.ts'
import type { BlockNode } from '../syntax/nodes.ts'
import { around, topBlock, topBlocks } from './around.ts'
import { mergeProjects } from './create-block.ts'
import { appendingBlock, insertingMember, removingUnit, unitText } from './edits.ts'
import { alternative, type Fix, preferred, type QuickFix } from './fix.ts'

/** How many services are offered to move something into. */
const MOST_TARGETS = 5

/** A struct at the top moves into a service; a service in a block moves out. */
export const moveBlock: QuickFix = (problem) => {
  const block = around(problem, 'Block')
  if (block === undefined) return []
  const text = unindented(unitText(block))
  if (block.kind === 'project' && topBlock(problem.read.definition, 'project') !== undefined)
    return mergeProjects(problem)
  if (block.kind !== 'struct')
    return [preferred('Move it to the top', removingUnit(block), appendingBlock(problem.read.tree, text))]
  return targets(problem, block).map((service) => into(service, block, text))
}

/** An attribute that stands in the project, or nowhere, moves into a service. */
export const moveAttribute: QuickFix = (problem) => {
  const attribute = around(problem, 'Attribute')
  if (attribute === undefined) return []
  const text = unindented(unitText(attribute))
  return targets(problem, attribute).map((service) => into(service, attribute, text))
}

/** Metadata of the project that stands in a service or a struct. */
export const moveMetadata: QuickFix = (problem) => {
  const metadata = around(problem, 'Metadata')
  const project = topBlocks(problem.read.definition).find(({ kind }) => kind === 'project')
  if (metadata === undefined || project === undefined || isBroken(project)) return []
  if (!['provider', 'authMethod', 'metrics'].includes(metadata.name)) return []
  if (project.members.some(({ name }) => name === metadata.name)) return []
  return [
    preferred(
      `Move it into \`${project.name}\``,
      removingUnit(metadata),
      ...insertingMember(project, unindented(unitText(metadata))),
    ),
  ]
}

function into(service: BlockNode, moved: Parameters<typeof removingUnit>[0], text: string): Fix {
  return alternative(
    `Move it into \`${service.name}\``,
    removingUnit(moved),
    ...insertingMember(service, text),
  )
}

/** Services that can be moved into: the ones before come first, since a forgotten bracket is likelier there. */
function targets(
  { read }: Parameters<QuickFix>[0],
  moved: { readonly $first: number; name: string },
): BlockNode[] {
  const services = topBlocks(read.definition).filter(
    (block) =>
      block.kind === 'service' && !isBroken(block) && block.members.every(({ name }) => name !== moved.name),
  )
  const before = services.filter((service) => service.$first < moved.$first).reverse()
  return [...before, ...services.filter((service) => service.$first > moved.$first)].slice(0, MOST_TARGETS)
}

/** A block as it would stand at the top. */
function unindented(text: string): string {
  const lines = text.split(/\r\n|\n|\r/)
  const last = lines.at(-1) ?? ''
  const indentation = lines.length > 1 ? (/^[ \t]*/.exec(last)?.[0] ?? '') : ''
  return lines
    .map((line) => (line.startsWith(indentation) ? line.slice(indentation.length) : line))
    .join('\n')
}
