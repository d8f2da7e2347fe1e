import { AT, NAME } from '../../syntax/tokens.ts'
import { ANNOTATIONS, VISIBILITIES } from '../../vocabulary.ts'
import { dependentsOf } from '../definition-facts.ts'
import { annotationMarkdown } from '../vocabulary-markdown.ts'
import type { Offer } from './offer.ts'
import type { Statement } from './statement.ts'
import { annotationsBehind } from './types.ts'

const ANNOTATION_RANK = 10

/** The annotations that the attribute does not have and that go with those that it has. */
export function annotationOffers(statement: Statement, name: number, at: number | undefined): Offer[] {
  const { read, word, end } = statement
  const { tokens } = read.tree
  const present = new Set([...annotationsBefore(statement), ...annotationsBehind(statement)])
  const hasVisibility = [...VISIBILITIES].some((visibility) => present.has(visibility))
  const mustBeHooks = !hasVisibility && closesCycle(statement, name)
  const touches = at === undefined && word.end === word.start && tokens.end(end - 1) === word.start
  const span = at === undefined ? word : { start: tokens.start(at), end: word.end }
  return ANNOTATIONS.filter((entry) => {
    if (present.has(entry.name)) return false
    if (mustBeHooks) return entry.name === 'server' || entry.name === 'serverSet'
    if (VISIBILITIES.has(entry.name) && hasVisibility) return false
    return entry.name === 'unique'
      ? !present.has('client')
      : entry.name !== 'client' || !present.has('unique')
  }).map((entry) => ({
    label: `@${entry.name}`,
    kind: 'annotation',
    documentation: annotationMarkdown(entry),
    snippet: `${touches ? ' ' : ''}@${entry.name}`,
    span,
    filter: at === undefined ? entry.name : `@${entry.name}`,
    rank: ANNOTATION_RANK,
    commit: [';', ' '],
  }))
}

function annotationsBefore({ read, first, end }: Statement): string[] {
  const { tokens } = read.tree
  const names: string[] = []
  for (let index = first; index + 1 < end; index++) {
    if (tokens.kind(index) === AT && tokens.kind(index + 1) === NAME) names.push(tokens.textOf(index + 1))
  }
  return names
}

/** Whether a client would have to supply what cannot be there yet, without an annotation that says otherwise. */
function closesCycle({ holder, read }: Statement, name: number): boolean {
  if (holder.$type !== 'Block') return false
  const attribute = holder.members.find((member) => member.$type === 'Attribute' && member.$first === name)
  if (attribute?.$type !== 'Attribute') return false
  const target = attribute.type.target.ref
  return target !== undefined && dependentsOf(read, holder, attribute).has(target)
}
