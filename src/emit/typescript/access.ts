import type { Entity, Platform, Service } from '../../model/platform.ts'
import { requestedReferences } from './attributes.ts'

/** A service with what its code depends on beyond itself. */
export interface ServiceScope {
  readonly service: Service
  /** Entities have an owner and requests a caller. */
  readonly authenticated: boolean
  /** Only the owner may read. */
  readonly readLimited: boolean
  /** Only the owner may write. */
  readonly writeLimited: boolean
  /** Property of the table that holds the owner's id: that of an identity is its owner's. */
  readonly ownerKey: 'id' | '_owner'
  /** Another service refers to this one or calls it. */
  readonly called: boolean
}

/** Looks at a service in its platform. */
export function scopeOf(platform: Platform, service: Service): ServiceScope {
  const authenticated = platform.authentication !== undefined
  return {
    service,
    authenticated,
    readLimited: authenticated && service.readable === 'this',
    writeLimited: authenticated && service.writable === 'this',
    ownerKey: service.identity ? 'id' : '_owner',
    called: platform.services.some(({ calls }) =>
      calls.some(({ directory }) => directory === service.directory),
    ),
  }
}

/** Whether an entity has the operation as an endpoint. */
export function has(entity: Entity, operation: Entity['endpoints'][number]['operation']): boolean {
  return entity.endpoints.some((endpoint) => endpoint.operation === operation)
}

/** Whether clients send references of the entity that have to be checked. */
export function checksReferences(entity: Entity): boolean {
  return requestedReferences(entity).length > 0 && (has(entity, 'create') || has(entity, 'update'))
}

/** Whether the service's own entities are what some attribute refers to. */
export function refersToItself({ entity, structs }: Service): boolean {
  return [entity, ...structs].some((holder) =>
    requestedReferences(holder).some(({ type }) => type.kind === 'reference' && type.own),
  )
}
