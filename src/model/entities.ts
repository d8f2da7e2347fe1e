import type {
  Attribute,
  AttributeType,
  CustomEndpoint,
  Entity,
  EnumType,
  Operation,
  Platform,
  Service,
  ServiceReference,
  SiblingReference,
  Transitions,
} from './platform.ts'

/** The entity of a service, then those of its structs. */
export function entitiesOf({ entity, structs }: Pick<Service, 'entity' | 'structs'>): readonly Entity[] {
  return [entity, ...structs]
}

/** Whether an entity has an endpoint of one of these operations. */
export function hasOperation({ endpoints }: Entity, ...operations: readonly Operation[]): boolean {
  return endpoints.some(({ operation }) => operations.includes(operation))
}

/** Whether other services can read several entities of a service at once, by their ids. */
export function servesReadMany({ entity, referenced }: Service): boolean {
  return referenced && hasOperation(entity, 'read')
}

/** Whether responses contain any number of entities, which are read in batches. */
export function isReadInBatches(service: Service, entity: Entity): boolean {
  return hasOperation(entity, 'list') || (entity === service.entity && servesReadMany(service))
}

/** An operation with hooks of its own. */
export type HookOperation = Exclude<Operation, 'patch'>

/** The operations of an entity's endpoints that have hooks. Those of an update also run for a patch. */
export function hookOperations({ endpoints }: Entity): HookOperation[] {
  return endpoints.flatMap(({ operation }) => (operation === 'patch' ? [] : [operation]))
}

/** Whether values of a type are ids of other entities. */
export function isReference(type: AttributeType): type is ServiceReference | SiblingReference {
  return type.kind === 'reference' || type.kind === 'sibling'
}

/** The attributes that clients send. */
export function requestAttributes(entity: Entity): Attribute[] {
  return entity.attributes.filter((attribute) => attribute.inRequest)
}

/** The attributes that clients send and that only hooks see (`@client`). An update may lack them. */
export function clientAttributes(entity: Entity): Attribute[] {
  return entity.attributes.filter(({ visibility }) => visibility === 'client')
}

/** The attributes that have a column. */
export function storedAttributes(entity: Entity): Attribute[] {
  return entity.attributes.filter((attribute) => attribute.stored)
}

/** The attributes that statements write: all with a column, except timestamps. */
export function writtenAttributes(entity: Entity): Attribute[] {
  return storedAttributes(entity).filter(({ visibility }) => visibility !== 'timestamp')
}

/** Whether the entity has timestamps (`#timestamps`). */
export function hasTimestamps({ attributes }: Entity): boolean {
  return attributes.some(({ visibility }) => visibility === 'timestamp')
}

/** Whether any entity has versions (`#versioned`). */
export function hasVersions({ services }: Pick<Platform, 'services'>): boolean {
  return services.some((service) => entitiesOf(service).some(({ version }) => version !== undefined))
}

/** Whether each update changes the entity, even if it sets nothing: the time of the last change, or the version. */
export function changesWithEachUpdate(entity: Entity): boolean {
  return hasTimestamps(entity) || entity.version !== undefined
}

/** The attributes that only hooks set: `@server` and `@serverSet`. */
export function hookAttributes(entity: Entity): Attribute[] {
  return writtenAttributes(entity).filter((attribute) => !attribute.inRequest)
}

/** An attribute whose value changes only as `@transitions` declares. */
export interface StateAttribute extends Attribute {
  readonly type: EnumType & { readonly transitions: Transitions }
}

/** The attributes with `@transitions`. */
export function stateAttributes({ attributes }: Entity): StateAttribute[] {
  return attributes.filter((attribute): attribute is StateAttribute => hasTransitions(attribute.type))
}

function hasTransitions(type: AttributeType): boolean {
  return type.kind === 'enum' && type.transitions !== undefined
}

/** The references that clients send. */
export function requestReferences(entity: Entity): Attribute[] {
  return entity.attributes.filter(({ inRequest, type }) => inRequest && isReference(type))
}

/** Whether an attribute refers to the service's own entity, so that references are checked in its own database. */
export function referencesItself(service: Service): boolean {
  return [
    ...entitiesOf(service).flatMap(requestReferences),
    ...service.customEndpoints.flatMap(endpointReferences),
  ].some(({ type }) => type.kind === 'reference' && type.local)
}

/** The attributes of a custom endpoint, which are in requests, in responses, or in both. */
export function endpointAttributes(endpoint: CustomEndpoint): Attribute[] {
  const { response } = endpoint
  const responded = response.kind === 'object' ? response.attributes : []
  return [...new Set([...endpoint.pathAttributes, ...endpoint.requestAttributes, ...responded])]
}

/** The attributes of requests to a custom endpoint whose values refer to entities. */
export function endpointReferences(endpoint: CustomEndpoint): Attribute[] {
  return [...endpoint.pathAttributes, ...endpoint.requestAttributes].filter(
    ({ type }) => type.kind === 'reference',
  )
}

/** Whether requests contain references that have to be checked. */
export function checksReferences(entity: Entity): boolean {
  return hasOperation(entity, 'create', 'update') && requestReferences(entity).length > 0
}
