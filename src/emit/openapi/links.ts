import { operationName, writesOne } from '../../model/endpoints.ts'
import type { Endpoint, Entity } from '../../model/platform.ts'
import type { EndpointContext } from '../../model/platform.ts'
import type { JsonObject } from '../../json.ts'

/** Operations with the id of an entity in their path. */
const BY_ID = new Set(['read', 'update', 'patch', 'delete'])

/**
 * The OpenAPI links of a response with an entity: to the other endpoints of the entity and, if it is a service's, to
 * the create and list endpoints of its structs.
 */
export function linksFrom({ service, entity, endpoint }: EndpointContext): JsonObject {
  const body = '$response.body#/id'
  const parent: JsonObject = 'parent' in entity ? { 'parent-id': '$request.path.parent-id' } : {}
  const own = entity.endpoints
    .filter((candidate) => BY_ID.has(candidate.operation) && candidate !== endpoint)
    .map((candidate) => link(entity, candidate, { ...parent, id: body, ...versionOf(entity, candidate) }))
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

/** The version of the response, which a request may have to name. */
function versionOf({ version }: Entity, endpoint: Endpoint): JsonObject {
  return version !== undefined && writesOne(endpoint) ? { 'If-Match': '$response.header.ETag' } : {}
}

/** The link to the long form of a struct's list, whose path contains an entry's id. */
function longList(entity: Entity, parent: JsonObject, body: string): [string, JsonObject][] {
  const list = entity.endpoints.find(({ paths }) => paths.length > 1)
  if (list === undefined) return []
  const name = longListName(entity, list)
  return [[name, { operationId: name, parameters: { ...parent, id: body } }]]
}

/** The operation id of the long form. It is unique because no declared name contains an underscore. */
export function longListName(entity: Entity, list: Endpoint): string {
  return `${operationName(entity, list)}_byPath`
}

function link(entity: Entity, endpoint: Endpoint, parameters: JsonObject): [string, JsonObject] {
  const name = operationName(entity, endpoint)
  return [name, { operationId: name, parameters }]
}
