import type { Attribute, Platform } from '../model/platform.ts'
import { endpointOf, type Place, placeNamed, placeOf, siblingPlace } from './place.ts'
import { sizeOf } from './values/sample.ts'
import { refusesZero } from './values/zero.ts'

/** What can be made at a place through the API alone, worked out from the definition. */
export interface Feasibility {
  /** Why nothing can be made there at all; `undefined` where it can. */
  readonly blocked: string | undefined
  /** How many entities can exist at once: the smallest range of a `@unique` attribute; `Infinity` without one. */
  readonly capacity: number
  /** One user can have one entity only: of an `#auth` service, or where each needs the user's own one of such. */
  readonly onePerCaller: boolean
}

/** Works out what can be made at a place. Takes well-formed references only, as validation leaves them. */
export function feasibility(platform: Platform, place: Place): Feasibility {
  return examine(platform, place, [])
}

function examine(platform: Platform, place: Place, path: readonly string[]): Feasibility {
  if (path.includes(place.label)) return nothing(`${place.label} needs itself`)
  if (!endpointOf(place, 'create')) return nothing(`${place.label} has no create endpoint`)
  const inner = [...path, place.label]
  let capacity = Number.POSITIVE_INFINITY
  let onePerCaller = place.service.identity && !place.struct
  if (place.struct) {
    const parent = examine(platform, placeOf(place.service), inner)
    if (parent.blocked !== undefined) return parent
  }
  for (const attribute of place.entity.attributes) {
    if (!attribute.requested) {
      if (attribute.stored && refusesZero(attribute))
        return nothing(
          `\`${attribute.names.declared}\` of ${place.label} holds no value until a hook sets one`,
        )
      // Without hooks every entity holds the zero value.
      if (attribute.unique) capacity = Math.min(capacity, 1)
      continue
    }
    const target = targetPlace(platform, place, attribute)
    if (!target) {
      if (attribute.unique) capacity = Math.min(capacity, ownSize(attribute))
      continue
    }
    // The own parent is there already; what it needs was examined above.
    if (attribute.type.kind === 'reference' && attribute.type.own && !attribute.unique) continue
    const needed = examine(
      platform,
      target,
      attribute.type.kind === 'reference' && attribute.type.own ? [] : inner,
    )
    if (needed.blocked !== undefined) return needed
    if (attribute.unique) {
      capacity = Math.min(capacity, needed.capacity)
      if (needed.onePerCaller && target.service.readable === 'this') onePerCaller = true
    }
  }
  return { blocked: undefined, capacity, onePerCaller }
}

function nothing(blocked: string): Feasibility {
  return { blocked, capacity: 0, onePerCaller: false }
}

/** The place that an attribute refers to; `undefined` for an attribute that is no reference. */
export function targetPlace(platform: Platform, place: Place, { type }: Attribute): Place | undefined {
  if (type.kind === 'reference') return placeNamed(platform, type.target.names.declared)
  if (type.kind === 'sibling') return siblingPlace(place, type.target.declared)
  return undefined
}

function ownSize({ type }: Attribute): number {
  return type.kind === 'reference' || type.kind === 'sibling' ? Number.POSITIVE_INFINITY : sizeOf(type)
}
