import { type Access, admitsAllOf } from '../../access.ts'
import { canonicalWords } from '../argument-binding.ts'
import { OMITTABLE } from '../builtins.ts'
import { type Definition, type Entity, isBlock, isService, isStruct, type Member } from '../generated/ast.ts'
import type { Segment } from '../parser/segment.ts'
import { effectiveAccess } from '../validation/access-rules.ts'
import { type DefinitionIndex, definitionIndex, metadataOf } from '../validation/definition-index.ts'

/** Who may do what, as far as it is certain despite syntax errors. */
export interface Permissions {
  /**
   * Readers, writers and endpoints of each service and struct, by a form of its name that fixes of names keep. The
   * name of a struct begins with that of its service and a `.`. Roles have the same form.
   */
  readonly byEntity: ReadonlyMap<string, Permission>
  /** No syntax error hides a declaration. */
  readonly isComplete: boolean
}

/** Who may do what with the entities of a service or struct. */
export interface Permission {
  readonly name: string
  readonly readable: Access
  readonly writable: Access
  /** The endpoints, and the paths that need no token, with a `/` before them. */
  readonly endpoints: readonly string[]
}

/** The parts of a definition that permissions depend on. */
export interface PermissionSource {
  readonly segments: readonly PermissionSegment[]
  readonly value: Definition
}

/** A part of a definition, as far as permissions depend on it. */
export type PermissionSegment = Pick<Segment, 'members' | 'syntaxErrors'>

/** The permissions of a definition; with `only`, those of the services and structs in these of its segments. */
export function permissionsOf(
  { segments, value }: PermissionSource,
  only: readonly PermissionSegment[] = segments,
): Permissions {
  const byEntity = new Map<string, Permission>()
  const index = definitionIndex(value)
  const add = (member: Member, prefix: string): void => {
    if (!isBlock(member)) return
    const key = prefix + plainName(member.name)
    // If several have the same name, the first one counts.
    if ((isService(member) || isStruct(member)) && !byEntity.has(key))
      byEntity.set(key, permissionOf(member, index))
    for (const inner of member.members) add(inner, isService(member) ? `${key}.` : '')
  }
  const isComplete = segments.every(isIntact)
  // The project contains the defaults of every service.
  const isProjectKnown = isComplete || segments.some((segment) => isIntact(segment) && hasProject(segment))
  if (isProjectKnown)
    for (const { members } of only.filter(isIntact)) for (const member of members) add(member, '')
  return { byEntity, isComplete }
}

/** Whether a change of the text changes who may do what. */
export function isPermissionChanged(before: Permissions, after: Permissions): boolean {
  for (const [key, permission] of before.byEntity) {
    const now = after.byEntity.get(key)
    if (now === undefined || !admitsAll(permission, now) || !admitsAll(now, permission)) return true
  }
  return before.isComplete && after.byEntity.size !== before.byEntity.size
}

/** Whether `outer` permits everything that `inner` permits. */
export function admitsAll(outer: Permission, inner: Permission): boolean {
  return (
    admitsAllOf(outer.readable, inner.readable) &&
    admitsAllOf(outer.writable, inner.writable) &&
    inner.endpoints.every((endpoint) => outer.endpoints.includes(endpoint))
  )
}

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}

/** Whether a segment has no syntax error. */
export function isIntact({ syntaxErrors }: PermissionSegment): boolean {
  return syntaxErrors.length === 0
}

/** Whether a segment has a `project` block. */
export function hasProject({ members }: PermissionSegment): boolean {
  return members.some(({ $type }) => $type === 'Project')
}

function permissionOf(entity: Entity, index: DefinitionIndex): Permission {
  const owner = isStruct(entity) && isService(entity.$container) ? entity.$container : entity
  const omit = metadataOf(entity, 'omit')
  const omitted = new Set(omit === undefined ? [] : canonicalWords(omit))
  // Users find only their own entity with `identify`.
  const endpoints = OMITTABLE.map(({ name }) => name).filter(
    (name) => name !== 'identify' && !omitted.has(name),
  )
  if (metadataOf(entity, 'enumerable') !== undefined) endpoints.push('list')
  const open = metadataOf(entity, 'public')
  if (open !== undefined) endpoints.push(...canonicalWords(open).map((path) => `/${path}`))
  const { readable, writable } = effectiveAccess(owner, { index })
  return { name: entity.name, readable: plainAccess(readable), writable: plainAccess(writable), endpoints }
}

function plainAccess(access: Access): Access {
  return access === 'all' ? access : { ...access, roles: access.roles.map(plainName) }
}
