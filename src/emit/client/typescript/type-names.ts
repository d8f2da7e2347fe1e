import type { CustomEndpoint, Entity, Platform, Service } from '../../../model/platform.ts'
import { entitiesOf } from '../../../model/entities.ts'

/** The types of one entity in a client. */
interface ClientTypes {
  /** The entity in responses: the declared name. */
  readonly response: string
  /** The body of a create or an update. */
  readonly request: string
  /** The filters of a list that has any. */
  readonly filter: string
}

/** The types of a custom endpoint in a client. */
interface CustomClientTypes {
  readonly request: string
  readonly response: string
}

/** The names of a client's types. */
export interface ClientTypeNames {
  readonly ofCustom: (endpoint: CustomEndpoint) => CustomClientTypes
  readonly of: (entity: Entity) => ClientTypes
  /** The interface of a service: `HomeApi`. */
  readonly api: (service: Service) => string
}

/** Other type names that a client uses or exports. */
const TAKEN =
  `ApiResponse ApiError ApiRequest Array AsyncIterable Authorizer CallOptions Client ClientOptions Criteria
  Connection ConnectionOptions Credentials Error ErrorKind Failure ListOptions Page Pages Promise Result Session
  SessionOptions Success`.split(/\s+/)

/**
 * Chooses the type names. A `_`, which no declared name can contain, is appended to declared names that the client
 * uses itself, and to generated names that are declared.
 */
export function clientTypeNames({ services }: Platform): ClientTypeNames {
  const entities = services.flatMap(entitiesOf)
  const used = new Set(TAKEN)
  const take = (name: string): string => {
    if (used.has(name)) return take(`${name}_`)
    used.add(name)
    return name
  }
  const responses = new Map(entities.map((entity) => [entity, take(entity.names.declared)]))
  const types = new Map(
    [...responses].map(([entity, response]): [Entity, ClientTypes] => [
      entity,
      {
        response,
        request: take(`${entity.names.declared}Request`),
        filter: (entity.criteria?.filter.length ?? 0) > 0 ? take(`${entity.names.declared}Filter`) : '{}',
      },
    ]),
  )
  const apis = new Map(services.map((service) => [service, take(`${service.names.declared}Api`)]))
  const customs = new Map(
    services.flatMap(({ names, customEndpoints }) =>
      customEndpoints.map((endpoint): [CustomEndpoint, CustomClientTypes] => {
        const name = `${endpoint.names.declared}${names.declared}`
        return [endpoint, { request: take(`${name}Request`), response: take(`${name}Response`) }]
      }),
    ),
  )
  return {
    ofCustom: (endpoint) => known(customs, endpoint),
    of: (entity) => known(types, entity),
    api: (service) => known(apis, service),
  }
}

function known<Key, Value>(values: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = values.get(key)
  if (value === undefined) throw new Error('Not part of this platform')
  return value
}
