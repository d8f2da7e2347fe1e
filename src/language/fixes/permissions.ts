import { canonicalWords } from '../argument-binding.ts'
import { OMITTABLE } from '../builtins.ts'
import { type Entity, isBlock, isService, isStruct, type Member } from '../generated/ast.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import type { Segment } from '../parser/segment.ts'
import { effectiveAccess } from '../validation/access.ts'
import { type DefinitionIndex, definitionIndex, metadataOf } from '../validation/definition-index.ts'

/** Who may do what, as far as it is certain despite syntax errors. */
export interface Permissions {
  /** Readers, writers and endpoints of each service and struct, by a form of its name that fixes of names keep. */
  readonly byEntity: ReadonlyMap<string, string>
  /** No syntax error hides a declaration. */
  readonly isComplete: boolean
}

/** The permissions of a definition. */
export function permissionsOf(result: DefinitionParseResult): Permissions {
  const index = definitionIndex(result.value)
  const byEntity = new Map<string, string>()
  const add = (member: Member): void => {
    if (!isBlock(member)) return
    if (isService(member) || isStruct(member))
      byEntity.set(plainName(member.name), permissionOf(member, index))
    member.members.forEach(add)
  }
  const intact = result.segments.filter(isIntact)
  // The project contains the defaults of every service.
  const isProjectKnown = intact.length === result.segments.length || intact.some(hasProject)
  if (isProjectKnown) for (const { members } of intact) members.forEach(add)
  return { byEntity, isComplete: intact.length === result.segments.length }
}

/** Whether a change of the text changes who may do what. */
export function isPermissionChanged(before: Permissions, after: Permissions): boolean {
  for (const [name, permission] of before.byEntity) if (after.byEntity.get(name) !== permission) return true
  return before.isComplete && after.byEntity.size !== before.byEntity.size
}

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}

function isIntact({ syntaxErrors }: Segment): boolean {
  return syntaxErrors.length === 0
}

function hasProject({ members }: Segment): boolean {
  return members.some(({ $type }) => $type === 'Project')
}

function permissionOf(entity: Entity, index: DefinitionIndex): string {
  const owner = isStruct(entity) && isService(entity.$container) ? entity.$container : entity
  const { readable, writable } = effectiveAccess(owner, { index })
  const isAuth = isService(entity) && metadataOf(entity, 'auth') !== undefined
  const omit = metadataOf(entity, 'omit')
  const omitted = new Set(omit === undefined ? [] : canonicalWords(omit))
  const endpoints = OMITTABLE.map(({ name }) => name).filter(
    (name) => !omitted.has(name) && (name !== 'identify' || isAuth),
  )
  if (metadataOf(entity, 'enumerable') !== undefined) endpoints.push('list')
  return `${JSON.stringify([readable, writable])} ${endpoints.join(' ')}`
}
