import { admitsCreator } from '../access.ts'
import type { Attribute } from '../model/platform.ts'
import { isDistinct } from './distinct.ts'
import {
  endpointOf,
  isLeftEmpty,
  type Resource,
  resourceNamed,
  serviceResource,
  siblingResource,
} from './resource.ts'
import { valueCount } from './values/sample.ts'
import { rejectsZeroValue, zeroValue } from './values/zero.ts'
import { isReference } from '../model/entities.ts'

/** What can be created of a resource through the API, according to the definition. */
export interface Feasibility {
  /** Why nothing can be created; `undefined` if something can. */
  readonly blocked: string | undefined
  /** How many entities can exist: the smallest range, or number of samples, of a `@unique` attribute, or `Infinity`. */
  readonly capacity: number
  /** The attribute of which samples, and not the range, limit the capacity: `\`code\` of Home`. */
  readonly sampled: string | undefined
  /** A user can have only one entity, because the service is an `#auth` service or refers uniquely to one. */
  readonly onePerUser: boolean
  /** Creating one requires a role, its parent's and referenced entities included. */
  readonly needsRole: boolean
}

/** Determines what can be created of a resource. */
export function feasibility(resource: Resource): Feasibility {
  return examine(resource, [])
}

function examine(resource: Resource, path: readonly string[]): Feasibility {
  if (path.includes(resource.label)) return nothing(`${resource.label} requires itself`)
  if (!endpointOf(resource, 'create')) return nothing(`${resource.label} has no create endpoint`)
  const inner = [...path, resource.label]
  let capacity = Number.POSITIVE_INFINITY
  let sampled: string | undefined
  const limit = (to: number, by?: string): void => {
    if (to < capacity) [capacity, sampled] = [to, by]
  }
  let onePerUser = resource.service.storesUsers && !resource.struct
  let needsRole = !admitsCreator(resource.service.writable)
  if (resource.struct) {
    const parent = examine(serviceResource(resource), inner)
    if (parent.blocked !== undefined) return parent
    needsRole ||= parent.needsRole
  }
  for (const attribute of resource.entity.attributes) {
    if (attribute.visibility === 'timestamp') continue
    if (!attribute.inRequest) {
      if (attribute.stored && rejectsZeroValue(attribute))
        return nothing(`a hook must set \`${attribute.names.declared}\` of ${resource.label} first`)
      // Without hooks every entity has the zero value.
      if (isDistinct(resource.entity, attribute) && zeroValue(attribute) !== null) limit(1)
      continue
    }
    const isUnique = isDistinct(resource.entity, attribute)
    const samples = resource.samples.of(resource.label, attribute, 'create')
    if (samples.length > 0) {
      // What samples refer to exists already.
      if (isUnique) limit(samples.length, `\`${attribute.names.declared}\` of ${resource.label}`)
      continue
    }
    const target = targetResource(resource, attribute)
    if (isLeftEmpty(resource, attribute)) continue
    if (!target) {
      if (isUnique) limit(ownSize(attribute))
      continue
    }
    // The parent exists already; its requirements were examined above.
    if (attribute.type.kind === 'reference' && attribute.type.local && !isUnique) continue
    const needed = examine(
      target,
      // What an optional reference refers to does not require this one.
      attribute.optional || (attribute.type.kind === 'reference' && attribute.type.local) ? [] : inner,
    )
    if (needed.blocked !== undefined) return needed
    needsRole ||= needed.needsRole
    if (isUnique) {
      limit(needed.capacity, needed.sampled)
      if (needed.onePerUser && target.service.readable !== 'all') onePerUser = true
    }
  }
  return { blocked: undefined, capacity, sampled, onePerUser, needsRole }
}

function nothing(blocked: string): Feasibility {
  return { blocked, capacity: 0, sampled: undefined, onePerUser: false, needsRole: false }
}

/** Returns the resource that an attribute refers to; `undefined` if it is not a reference. */
export function targetResource(resource: Resource, { type }: Attribute): Resource | undefined {
  if (type.kind === 'reference') return resourceNamed(resource, type.target.names.declared)
  if (type.kind === 'sibling') return siblingResource(resource, type.target.declared)
  return undefined
}

function ownSize({ type }: Attribute): number {
  return isReference(type) ? Number.POSITIVE_INFINITY : valueCount(type)
}
