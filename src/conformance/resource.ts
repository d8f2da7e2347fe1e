import type { Attribute, Endpoint, Entity, Operation, Platform, Service, Struct } from '../model/platform.ts'
import { isReference } from '../model/entities.ts'
import type { Samples } from './samples.ts'

/** A kind of entity with endpoints: a service's own or one of its structs. */
export interface Resource {
  readonly platform: Platform
  readonly service: Service
  /** The values that hooks accept. */
  readonly samples: Samples
  /** The entity of the service or of the struct. */
  readonly entity: Entity
  /** `undefined` for the service's own resource. */
  readonly struct: Struct | undefined
  /** Name in reports: `Home`, `Home.Photo`. */
  readonly label: string
  /** The optional reference that generated values contain. Others are `null`. */
  readonly filled?: Attribute
}

/** Returns the resource with a value of this attribute in generated values, even if it is an optional reference. */
export function filling(resource: Resource, attribute: Attribute): Resource {
  return { ...resource, filled: attribute }
}

/** Whether generated values have `null` for a reference. What it could refer to may require this resource itself. */
export function isLeftEmpty({ filled }: Resource, { type, optional, names }: Attribute): boolean {
  return optional && isReference(type) && filled?.names.declared !== names.declared
}

/** What all resources of a service have in common. */
type ServiceScope = Pick<Resource, 'platform' | 'service' | 'samples'>

/** Returns the service's own resource. */
export function serviceResource({ platform, service, samples }: ServiceScope): Resource {
  const { entity, names } = service
  return { platform, service, samples, entity, struct: undefined, label: names.declared }
}

/** Returns the resource of a struct. */
function structResource({ platform, service, samples }: ServiceScope, struct: Struct): Resource {
  const label = `${service.names.declared}.${struct.names.declared}`
  return { platform, service, samples, entity: struct, struct, label }
}

/** Returns the service's own resource and those of its structs, in the order of the definition. */
export function resourcesOf(scope: ServiceScope): Resource[] {
  return [serviceResource(scope), ...scope.service.structs.map((struct) => structResource(scope, struct))]
}

/** Returns the resource of the service with this declared name. Throws if the platform has no such service. */
export function resourceNamed(
  { platform, samples }: Pick<Resource, 'platform' | 'samples'>,
  declared: string,
): Resource {
  const service = platform.services.find(({ names }) => names.declared === declared)
  if (!service) throw new Error(`The platform has no service ${declared}`)
  return serviceResource({ platform, service, samples })
}

/** Returns the resource of the sibling struct with this declared name. Throws if the service has no such struct. */
export function siblingResource(resource: Resource, declared: string): Resource {
  const struct = resource.service.structs.find(({ names }) => names.declared === declared)
  if (!struct) throw new Error(`${resource.service.names.declared} has no struct ${declared}`)
  return structResource(resource, struct)
}

/** Returns the endpoint of an operation; `undefined` if the resource does not have it. */
export function endpointOf(resource: Resource, operation: Operation): Endpoint | undefined {
  return resource.entity.endpoints.find((endpoint) => endpoint.operation === operation)
}

/** Returns the path that entities are created at: `/api/home`, or for a struct `/api/home/<parent-id>/photo`. */
export function collectionPath(resource: Resource, parentId: string | undefined): string {
  if (!resource.struct) return resource.service.path
  return `${resource.service.path}/${parentId ?? '{parent-id}'}/${resource.struct.names.kebab}`
}

/** Returns the path of an entity. */
export function itemPath(resource: Resource, parentId: string | undefined, id: string): string {
  return `${collectionPath(resource, parentId)}/${id}`
}

/** Returns the path of the list. For a struct, the shorter of its two forms. */
export function listPath(resource: Resource, parentId: string | undefined): string {
  return `${collectionPath(resource, parentId)}/all`
}

/** Returns the declared name of the entity, which error messages contain. */
export function entityName(resource: Resource): string {
  return resource.entity.names.declared
}
