import type { Endpoint, Entity, Operation, Platform, Service, Struct } from '../model/platform.ts'

/** Where entities are kept: a service's own, or the entries of one of its structs. */
export interface Place {
  readonly service: Service
  /** The service's entity or the struct. */
  readonly entity: Entity
  /** `undefined` for the service's own entities. */
  readonly struct: Struct | undefined
  /** What reports call it: `Home`, `Home.Photo`. */
  readonly label: string
}

/** The place of a service's own entities. */
export function placeOf(service: Service): Place {
  return { service, entity: service.entity, struct: undefined, label: service.names.declared }
}

/** The place of a struct's entries. */
export function placeOfStruct(service: Service, struct: Struct): Place {
  return {
    service,
    entity: struct,
    struct,
    label: `${service.names.declared}.${struct.names.declared}`,
  }
}

/** The service's place and those of its structs, in the order of the definition. */
export function placesOf(service: Service): Place[] {
  return [placeOf(service), ...service.structs.map((struct) => placeOfStruct(service, struct))]
}

/** The place of the service with this declared name. Every reference of a platform names one of its services. */
export function placeNamed(platform: Platform, declared: string): Place {
  const service = platform.services.find(({ names }) => names.declared === declared)
  if (!service) throw new Error(`The platform has no service ${declared}`)
  return placeOf(service)
}

/** The place of the sibling struct with this declared name. */
export function siblingPlace(place: Place, declared: string): Place {
  const struct = place.service.structs.find(({ names }) => names.declared === declared)
  if (!struct) throw new Error(`${place.service.names.declared} has no struct ${declared}`)
  return placeOfStruct(place.service, struct)
}

/** The endpoint of an operation, `undefined` where it is omitted or the place never has it. */
export function endpointOf(place: Place, operation: Operation): Endpoint | undefined {
  return place.entity.endpoints.find((endpoint) => endpoint.operation === operation)
}

/** `/api/home`, or of a struct `/api/home/<parent-id>/photo`: what is created is posted here. */
export function collectionPath(place: Place, parentId: string | undefined): string {
  if (!place.struct) return place.service.path
  return `${place.service.path}/${parentId ?? '{parent-id}'}/${place.struct.names.kebab}`
}

/** The path of one entity or entry. */
export function itemPath(place: Place, parentId: string | undefined, id: string): string {
  return `${collectionPath(place, parentId)}/${id}`
}

/** The path of the list (of a struct, the short of its two forms). */
export function listPath(place: Place, parentId: string | undefined): string {
  return `${collectionPath(place, parentId)}/all`
}

/** The declared name of what is kept there, as messages have it. */
export function nounOf(place: Place): string {
  return place.entity.names.declared
}
