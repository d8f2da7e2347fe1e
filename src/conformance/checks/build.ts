import type { Operation, Platform } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import { feasibility } from '../feasibility.ts'
import { endpointOf, type Place, placeOf } from '../place.ts'
import type { Scope } from '../scope.ts'

/** What has to be possible at a place for a check to mean anything. */
export interface Needs {
  /** Entities (or entries) that exist at once; 0 where the check makes none. */
  readonly entities: number
  /** How many of them one caller makes, where it is more than one. */
  readonly perCaller?: number
  /** Parents of a struct's entries that exist at once; one where the check makes entries and says nothing else. */
  readonly parents?: number
  /** How many of the parents one caller makes, where it is more than one. */
  readonly parentsPerCaller?: number
  /** Endpoints that must not be omitted, besides the create that `entities` needs. */
  readonly operations?: readonly Operation[]
}

/** A check of one place. Where the definition rules out what it needs, it says so in place of running. */
export function placeCheck(
  platform: Platform,
  place: Place,
  sentence: string,
  needs: Needs,
  run: (scope: Scope) => Promise<void>,
): Check {
  return {
    group: place.label,
    sequence: place.service.names.declared,
    sentence,
    skip: obstacle(platform, place, needs),
    run,
  }
}

/** Whether a place has all of these endpoints. */
export function serves(place: Place, ...operations: readonly Operation[]): boolean {
  return operations.every((operation) => endpointOf(place, operation) !== undefined)
}

function obstacle(platform: Platform, place: Place, needs: Needs): string | undefined {
  const {
    entities,
    perCaller = 1,
    parents = Math.min(1, entities),
    parentsPerCaller = 1,
    operations = [],
  } = needs
  for (const operation of operations)
    if (!serves(place, operation)) return `${place.label} has no ${operation} endpoint`
  if (entities > 0) {
    const reason = noRoom(platform, place, entities, perCaller)
    if (reason !== undefined) return reason
  }
  return place.struct && parents > 0
    ? noRoom(platform, placeOf(place.service), parents, parentsPerCaller)
    : undefined
}

function noRoom(platform: Platform, place: Place, count: number, perCaller: number): string | undefined {
  const { blocked, capacity, onePerCaller } = feasibility(platform, place)
  if (blocked !== undefined) return blocked
  if (capacity < count)
    return `a @unique attribute lets only ${capacity} of ${place.label} exist, not ${count}`
  if (onePerCaller && perCaller > 1) return `one user can have only one of ${place.label}`
  return undefined
}
