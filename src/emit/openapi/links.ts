import { operationName } from '../../model/operation-names.ts'
import type { Endpoint, Entity } from '../../model/platform.ts'
import type { EndpointPlace } from '../../model/refusals.ts'
import type { JsonObject } from './json.ts'

/** Operations that take the id of an entity. */
const BY_ID = new Set(['read', 'update', 'delete'])

/**
 * What can follow on an answer that holds an entity (OpenAPI links): its own endpoints, by its id and its parent's;
 * and of a service's entity, those of its structs that need nothing else.
 */
export function linksFrom({ service, entity, endpoint }: EndpointPlace): JsonObject {
  const body = '$response.body#/id'
  const parent: JsonObject = 'parent' in entity ? { 'parent-id': '$request.path.parent-id' } : {}
  const own = entity.endpoints
    .filter((candidate) => BY_ID.has(candidate.operation) && candidate !== endpoint)
    .map((candidate) => link(entity, candidate, { ...parent, id: body }))
  const below =
    entity === service.entity
      ? service.structs.flatMap((struct) =>
          struct.endpoints
            .filter(({ operation }) => operation === 'create' || operation === 'list')
            .map((candidate) => link(struct, candidate, { 'parent-id': body })),
        )
      : []
  return Object.fromEntries([...own, ...below, ...longList(entity, parent, body)])
}

/** The form of a struct's list whose path names an entry. */
function longList(entity: Entity, parent: JsonObject, body: string): [string, JsonObject][] {
  const list = entity.endpoints.find(({ paths }) => paths.length > 1)
  if (list === undefined) return []
  const name = longListName(entity, list)
  return [[name, { operationId: name, parameters: { ...parent, id: body } }]]
}

/** The function name of that form: no declared name has an underscore. */
export function longListName(entity: Entity, list: Endpoint): string {
  return `${operationName(entity, list)}_byPath`
}

function link(entity: Entity, endpoint: Endpoint, parameters: JsonObject): [string, JsonObject] {
  const name = operationName(entity, endpoint)
  return [name, { operationId: name, parameters }]
}
