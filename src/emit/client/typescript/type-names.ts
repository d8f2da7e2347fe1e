import type { Entity, Platform, Service } from '../../../model/platform.ts'

/** The types that stand for one entity in a client. */
export interface ClientTypes {
  /** As it is answered: the declared name. */
  readonly answer: string
  /** What is sent to create or update it. */
  readonly request: string
}

/** The names of a client's types. */
export interface ClientTypeNames {
  readonly of: (entity: Entity) => ClientTypes
  /** What can be asked of a service: `HomeApi`. */
  readonly api: (service: Service) => string
}

/** Types that a client uses or exports beside those of entities. */
const TAKEN = `ApiAnswer ApiError ApiRequest Array AsyncIterable Authorizer CallOptions Client ClientOptions
  Connection ConnectionOptions Credentials Error ErrorKind Failure ListOptions Page Pages Promise Result Session
  SessionOptions Success`.split(/\s+/)

/**
 * Declared names stay as they are, but for those that the client has itself, which get a `_`: no declared name can
 * have one. So do names of ours that are declared.
 */
export function clientTypeNames({ services }: Platform): ClientTypeNames {
  const entities = services.flatMap(({ entity, structs }): Entity[] => [entity, ...structs])
  const used = new Set(TAKEN)
  const take = (name: string): string => {
    if (used.has(name)) return take(`${name}_`)
    used.add(name)
    return name
  }
  const answers = new Map(entities.map((entity) => [entity, take(entity.names.declared)]))
  const types = new Map(
    [...answers].map(([entity, answer]): [Entity, ClientTypes] => [
      entity,
      { answer, request: take(`${entity.names.declared}Request`) },
    ]),
  )
  const apis = new Map(services.map((service) => [service, take(`${service.names.declared}Api`)]))
  return { of: (entity) => known(types, entity), api: (service) => known(apis, service) }
}

function known<Key, Value>(values: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = values.get(key)
  if (value === undefined) throw new Error('Not of this platform')
  return value
}
