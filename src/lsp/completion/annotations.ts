import { ANNOTATIONS, type Parameter, requiresStorage, VISIBILITIES } from '../../language/builtins.ts'
import { enumValues } from '../../language/enum-values.ts'
import { isEntity } from '../../language/generated/ast.ts'
import { typeName } from '../../language/nodes.ts'
import { dependentsOf } from '../../language/required-references.ts'
import { metadataOf } from '../../language/validation/definition-index.ts'
import type { CompletionCandidate } from './candidate.ts'
import type { AnnotationContext } from './context.ts'
import { imageAfter } from './placeholder.ts'
import { isListed, spaceBefore } from './types.ts'

const ANNOTATION_RANK = 10

/** The annotations that the attribute does not have yet, and that can be combined with its annotations. */
export function annotationCandidates(context: AnnotationContext): CompletionCandidate[] {
  const { annotation, attribute, container, cursor, sign } = context
  // Annotations are written after these.
  if (/^[?=]$/.test(imageAfter(cursor))) return []
  const present = new Set(
    attribute.annotations.filter((other) => other !== annotation).map(({ name }) => name),
  )
  const isForStoredOnly = [...present].some(requiresStorage)
  const hasVisibility = [...VISIBILITIES].some((visibility) => present.has(visibility))
  const isInList = isListed(attribute, container)
  const mustBeSetByHooks = !hasVisibility && !attribute.optional && closesCycle(context)
  const values = typeName(attribute.type) === 'enum' ? enumValues(attribute.type.arguments) : []
  const span = sign === undefined ? cursor.word : { start: sign, end: cursor.word.end }
  const space = sign === undefined ? spaceBefore(cursor) : ''
  return ANNOTATIONS.filter(({ name, parameter }) => {
    if (present.has(name) || (annotation.arguments !== undefined && parameter === undefined)) return false
    if (mustBeSetByHooks) return name === 'server' || name === 'serverSet'
    if (VISIBILITIES.has(name) && hasVisibility) return false
    if (container.$type === 'Job') return false
    if (container.$type === 'Endpoint')
      return name === 'client' || (name === 'serverSet' && !isReturned(context))
    if (name === 'transitions' && (values.length < 2 || attribute.optional)) return false
    if (name === 'client' && (attribute.optional || attribute.default !== undefined || isInList)) return false
    return requiresStorage(name) ? !present.has('client') : name !== 'client' || !isForStoredOnly
  }).map(({ name, parameter }) => ({
    label: `@${name}`,
    kind: 'annotation',
    documentation: { about: 'annotation', name },
    snippet: `${space}@${name}${parameter === undefined || annotation.arguments !== undefined ? '' : `(${argumentSnippet(parameter, values)})`}`,
    span,
    filter: sign === undefined ? name : `@${name}`,
    rank: ANNOTATION_RANK,
  }))
}

/** The argument of an annotation, for `@transitions` from the first value of the `enum` to the second. */
function argumentSnippet({ kind, name }: Parameter, [first, second]: readonly string[]): string {
  return kind === 'transitions' ? `\${1:${first}}: [\${2:${second}}]` : `\${1:${name}}`
}

/** Whether an endpoint returns an entity, so that its attributes are only in requests, or they cannot be in responses. */
function isReturned({ attribute, container }: AnnotationContext): boolean {
  return (
    attribute.default !== undefined ||
    (container.$type === 'Endpoint' && metadataOf(container, 'returns') !== undefined)
  )
}

/** Whether clients would have to supply an entity that cannot exist yet, unless an annotation prevents that. */
function closesCycle({ attribute, container }: AnnotationContext): boolean {
  if (!isEntity(container) || attribute.type.$type !== 'ReferenceType') return false
  const target = attribute.type.entity.ref
  return (
    target?.$type === container.$type &&
    dependentsOf(container, attribute).has(attribute.type.entity.$refText)
  )
}
