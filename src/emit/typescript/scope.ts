import type { Access, LimitedAccess } from '../../access.ts'
import type { Entity, Platform, Service, Struct } from '../../model/platform.ts'
import { requestReferences } from './attributes.ts'
import { type EntityNames, entityNames } from './names.ts'
import { entitiesOf, hasOperation } from '../../model/entities.ts'

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
  const names = entityNames(service)
  const scoped = (entity: Entity, struct?: Struct): EntityScope[] => {
    const own = names.get(entity)
    return own === undefined ? [] : [{ entity, struct, names: own }]
  }
  return {
    platform,
    service,
    entities: [...scoped(service.entity), ...service.structs.flatMap((struct) => scoped(struct, struct))],
    authenticated,
    readers: limited(service.readable),
    writers: limited(service.writable),
    ownerKey: service.identity ? 'id' : '_owner',
  }
}

function limited(access: Access): LimitedAccess | undefined {
  return access === 'all' ? undefined : access
}

/** Whether lists are read by owner, because most callers may read only their own entities. */
export function isListedByOwner({ readers }: ServiceScope, { entity, struct }: EntityScope): boolean {
  return readers?.creator === true && struct === undefined && hasOperation(entity, 'list')
}

/** The scope of the service's own entity. */
export function mainEntity({ entities: [first] }: ServiceScope): EntityScope {
  if (first === undefined) throw new Error('A service has an entity')
  return first
}

/** Whether the table has a column for the owner. */
export function hasOwnerColumn(
  { authenticated, service }: ServiceScope,
  struct: Struct | undefined,
): boolean {
  return authenticated && !service.identity && struct === undefined
}

/** Whether an attribute refers to the service's own entity, so that references are checked in its own database. */
export function referencesItself(service: Service): boolean {
  return entitiesOf(service).some((each) =>
    requestReferences(each).some(({ type }) => type.kind === 'reference' && type.own),
  )
}

/** Whether requests contain references that have to be checked. */
export function checksReferences(entity: Entity): boolean {
  return hasOperation(entity, 'create', 'update') && requestReferences(entity).length > 0
}
