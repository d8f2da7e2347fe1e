import { metadataValues, metadataWords } from '../calls.ts'
import { spanOf } from '../syntax/places.ts'
import type { BlockNode, MetadataNode } from '../syntax/nodes.ts'
import { metadataNamed } from '../vocabulary.ts'
import { around, topBlock } from './around.ts'
import { inserting, removingDeclaration, replacing } from './edits.ts'
import { alternative, preferred, type QuickFix } from './fix.ts'

/** Metadata without its value gets one of those that there are; the only one is what was meant. */
export const addValue: QuickFix = (problem) => {
  const metadata = around(problem, 'Metadata')
  const parameter = metadata && metadataNamed(metadata.name)?.parameter
  if (metadata === undefined || parameter === undefined) return []
  const { tokens } = metadata.$tree
  const place = {
    start: tokens.end(metadata.$name),
    end: tokens.end(metadata.arguments?.$last ?? metadata.$name),
  }
  const names =
    parameter.kind === 'services'
      ? [...problem.read.scope.services.keys()]
      : parameter.values.map(({ name }) => name)
  const possible = names.filter((name) => isPossible(name, metadata, problem))
  const fix = names.length === 1 ? preferred : alternative
  return possible.map((name) => {
    const written =
      parameter.kind === 'word' ? `(${parameter.name === 'by' ? 'by: ' : ''}${name})` : `[${name}]`
    return fix(`Write \`#${metadata.name}${written}\``, replacing(place, written))
  })
}

/** Whether a value would be no mistake in its turn. */
function isPossible(value: string, metadata: MetadataNode, { read }: Parameters<QuickFix>[0]): boolean {
  if (value === 'this')
    return topBlock(read.definition, 'project')?.members.some(isNamed('authMethod')) === true
  const holder = metadata.$container
  return value !== 'identify' || (holder.$type === 'Block' && holder.members.some(isNamed('auth')))
}

function isNamed(name: string): (member: BlockNode['members'][number]) => boolean {
  return (member) => member.$type === 'Metadata' && member.name === name
}

/** A value that is not taken becomes one that is. */
export const otherValue: QuickFix = (problem) => {
  const metadata = around(problem, 'Metadata')
  const word = around(problem, 'WordValue')
  const parameter = metadata && metadataNamed(metadata.name)?.parameter
  if (metadata === undefined || word === undefined || parameter === undefined) return []
  const given = new Set(metadataWords(metadata).map((value) => value.word))
  return parameter.values
    .filter(
      ({ name }) =>
        isPossible(name, metadata, problem) &&
        !given.has(name) &&
        name !== problem.diagnostic.data?.replacement,
    )
    .map(({ name }) => alternative(`Change to \`${name}\``, replacing(spanOf(word), name)))
}

/** The values of the later list move into the earlier one; what is repeated in the same words goes. */
export const mergeMetadata: QuickFix = (problem) => {
  const later = around(problem, 'Metadata')
  const holder = later?.$container
  if (later === undefined || holder?.$type !== 'Block') return []
  const earlier = holder.members.find(
    (member): member is MetadataNode => member.$type === 'Metadata' && member.name === later.name,
  )
  if (earlier === undefined || earlier === later) return []
  const present = new Set(metadataWords(earlier).map(({ word }) => word))
  const added = metadataWords(later).filter(({ word }) => !present.has(word))
  const last = metadataValues(earlier).at(-1)
  const kind = metadataNamed(later.name)?.parameter?.kind
  if (added.length === 0 || last === undefined || kind === 'word' || kind === undefined) {
    const fix = added.length === 0 ? preferred : alternative
    return [fix(`Remove this \`#${later.name}\``, removingDeclaration(later))]
  }
  const words = added.map(({ word }) => `, ${word}`).join('')
  return [preferred('Merge the two', inserting(spanOf(last).end, words), removingDeclaration(later))]
}

/** One endpoint stays where all were omitted. */
export const keepEndpoint: QuickFix = (problem) => {
  const omit = around(problem, 'Metadata')
  if (omit === undefined) return []
  const words = metadataWords(omit)
  return words.flatMap((value, index) => {
    const next = words[index + 1]
    const previous = words[index - 1]
    const { start, end } = spanOf(value)
    const span =
      previous !== undefined
        ? { start: spanOf(previous).end, end }
        : { start, end: next === undefined ? end : spanOf(next).start }
    return [alternative(`Keep \`${value.word}\``, replacing(span, ''))]
  })
}
