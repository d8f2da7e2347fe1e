import type { Operation } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import { feasibility } from '../feasibility.ts'
import { endpointOf, type Resource, serviceResource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'

/** What a check requires of a resource. */
export interface ResourceRequirements {
  /** Number of entities that exist at once; 0 if the check creates none. */
  readonly entities: number
  /** How many of them one user creates. Default: 1. */
  readonly perUser?: number
  /** Number of parents of a struct's entries that exist at once. Default: 1 if the check creates entries. */
  readonly parents?: number
  /** How many of the parents one user creates. Default: 1. */
  readonly parentsPerUser?: number
  /** Further endpoints that the check uses, besides create. */
  readonly operations?: readonly Operation[]
}

/** Creates a check of a resource. It is skipped if the definition does not meet its requirements. */
export function resourceCheck(
  resource: Resource,
  title: string,
  requirements: ResourceRequirements,
  run: (context: CheckContext) => Promise<void>,
): Check {
  return {
    group: resource.label,
    sequence: resource.service.names.declared,
    title,
    skip: skipReason(resource, requirements),
    run,
  }
}

/** Whether a resource has all of these endpoints. */
export function hasEndpoints(resource: Resource, ...operations: readonly Operation[]): boolean {
  return operations.every((operation) => endpointOf(resource, operation) !== undefined)
}

function skipReason(resource: Resource, requirements: ResourceRequirements): string | undefined {
  const {
    entities,
    perUser = 1,
    parents = Math.min(1, entities),
    parentsPerUser = 1,
    operations = [],
  } = requirements
  for (const operation of operations)
    if (!hasEndpoints(resource, operation)) return `${resource.label} has no ${operation} endpoint`
  if (entities > 0) {
    const reason = capacityProblem(resource, entities, perUser)
    if (reason !== undefined) return reason
  }
  return resource.struct && parents > 0
    ? capacityProblem(serviceResource(resource), parents, parentsPerUser)
    : undefined
}

function capacityProblem(resource: Resource, count: number, perUser: number): string | undefined {
  const { blocked, capacity, sampled, onePerUser } = feasibility(resource)
  if (blocked !== undefined) return blocked
  if (capacity < count && sampled !== undefined)
    return `the check needs ${count} samples of ${sampled}, which must be unique, and has ${capacity}`
  if (capacity < count)
    return `a @unique attribute allows only ${capacity} of ${resource.label}, not ${count}`
  if (onePerUser && perUser > 1) return `a user can have only one ${resource.label}`
  return undefined
}
