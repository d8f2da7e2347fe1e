import { isOnlyCreator, type Access, type LimitedAccess } from '../../access.ts'
import type { CustomEndpoint, Entity, Job, Platform, Service, Struct } from '../../model/platform.ts'
import { entitiesOf } from '../../model/entities.ts'
import { type EndpointNames, type EntityNames, type JobNames, serviceNames } from './names.ts'

/** A service and the properties of its platform that its code depends on. */
export interface ServiceScope {
  readonly platform: Platform
  readonly service: Service
  /** The path of the project's module. */
  readonly module: string
  /** The service's own entity, then those of its structs. */
  readonly entities: readonly EntityScope[]
  /** Whether entities have an owner and requests a caller. */
  readonly authenticated: boolean
  /** Whether some callers may read or write only some entities, or none. */
  readonly isLimited: boolean
}

/** An entity of the service with its names. */
export interface EntityScope {
  readonly entity: Entity
  /** The entity if it is a struct's. */
  readonly struct: Struct | undefined
  readonly names: EntityNames
}

/** A custom endpoint with its names. */
export interface EndpointScope {
  readonly endpoint: CustomEndpoint
  readonly names: EndpointNames
}

/** Determines the scope of a service. */
export function serviceScope(platform: Platform, service: Service): ServiceScope {
  return {
    platform,
    service,
    module: platform.module,
    entities: scopesOf(service),
    authenticated: platform.authentication !== undefined,
    isLimited: service.readable !== 'all' || service.writable !== 'all',
  }
}

/** The entities of a service with their names: its own, then those of its structs. */
export function scopesOf(service: Service): EntityScope[] {
  const names = serviceNames(service).entities
  return entitiesOf(service).flatMap((entity, index) => {
    const own = names.get(entity)
    return own === undefined ? [] : [{ entity, struct: service.structs[index - 1], names: own }]
  })
}

/** The custom endpoints of a service with their names. */
export function endpointScopesOf(service: Service): EndpointScope[] {
  return [...serviceNames(service).endpoints].map(([endpoint, names]) => ({ endpoint, names }))
}

/** A job with its names. */
export interface JobScope {
  readonly job: Job
  readonly names: JobNames
}

/** The jobs of a service with their names. */
export function jobScopesOf(service: Service): JobScope[] {
  return [...serviceNames(service).jobs].map(([job, names]) => ({ job, names }))
}

/** The scope of the service's own entity. */
export function mainEntity({ entities: [first] }: ServiceScope): EntityScope {
  if (first === undefined) throw new Error('A service has an entity')
  return first
}

/** The expression of the owner whose entities a caller is limited to, which is nil for a caller who has access to all. */
export function ownerOf({ creator, roles }: LimitedAccess): string {
  if (roles.length === 0) return '&caller.ID'
  return `caller.${creator ? 'OwnerFilter' : 'RoleFilter'}(${roles.map((role) => `"${role}"`).join(', ')})`
}

/** The data access that is limited to what the caller has access to. */
export function datastoreFor(access: Access): string {
  return access === 'all' ? 'env.Datastore' : 'env.Datastore.As(caller)'
}

/** Whether access needs the owner of an entity, and not only whether there is one. */
export function comparesOwner(access: Access): boolean {
  return access !== 'all' && isOnlyCreator(access)
}
