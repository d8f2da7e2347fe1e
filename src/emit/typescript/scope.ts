import type { Access, LimitedAccess } from '../../access.ts'
import type { Entity, Platform, Service, Struct } from '../../model/platform.ts'
import { type EntityNames, entityNames } from './names.ts'

/** A service and the properties of its platform that its code depends on. */
export interface ServiceScope {
  readonly platform: Platform
  readonly service: Service
  /** The service's own entity and those of its structs. */
  readonly entities: readonly EntityScope[]
  /** Whether entities have an owner and requests a caller. */
  readonly authenticated: boolean
  /** Who may read; `undefined` if everyone may. */
  readonly readers: LimitedAccess | undefined
  /** Who may write; `undefined` if everyone may. */
  readonly writers: LimitedAccess | undefined
  /** The owner's column. The id of an `#auth` entity is its owner's. */
  readonly ownerKey: 'id' | '_owner'
}

/** An entity of the service with its names. */
export interface EntityScope {
  readonly entity: Entity
  /** The entity if it is a struct's. */
  readonly struct: Struct | undefined
  readonly names: EntityNames
}

/** Determines the scope of a service. */
export function serviceScope(platform: Platform, service: Service): ServiceScope {
  const authenticated = platform.authentication !== undefined
  return {
    platform,
    service,
    entities: scopesOf(service),
    authenticated,
    readers: limited(service.readable),
    writers: limited(service.writable),
    ownerKey: service.storesUsers ? 'id' : '_owner',
  }
}

/** The entities of a service with their names: its own, then those of its structs. */
export function scopesOf(service: Service): EntityScope[] {
  const names = entityNames(service)
  const scoped = (entity: Entity, struct?: Struct): EntityScope[] => {
    const found = names.get(entity)
    return found === undefined ? [] : [{ entity, struct, names: found }]
  }
  return [...scoped(service.entity), ...service.structs.flatMap((struct) => scoped(struct, struct))]
}

function limited(access: Access): LimitedAccess | undefined {
  return access === 'all' ? undefined : access
}

/** The scope of the service's own entity. */
export function mainEntity({ entities: [first] }: ServiceScope): EntityScope {
  if (first === undefined) throw new Error('A service has an entity')
  return first
}
