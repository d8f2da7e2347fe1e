import { withArticle } from '../naming.ts'
import {
  assertNever,
  type Endpoint,
  type EndpointContext,
  type Entity,
  type Method,
  type Operation,
} from './platform.ts'

/** All operations, in the order in which endpoints are listed. */
const OPERATIONS: readonly Operation[] = ['create', 'read', 'update', 'patch', 'delete', 'list', 'identify']

const METHODS: Readonly<Record<Operation, Method>> = {
  create: 'POST',
  read: 'GET',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  list: 'GET',
  identify: 'GET',
}

/** The endpoints of a service's entity. `path` is `/api/<service>`; `operations` excludes the omitted ones. */
export function entityEndpoints(path: string, operations: ReadonlySet<Operation>): Endpoint[] {
  return endpoints(operations, (operation) => {
    if (operation === 'create' || operation === 'identify') return [path]
    return operation === 'list' ? [`${path}/all`] : [`${path}/{id}`]
  })
}

/** The endpoints of a struct. `path` is `/api/<parent>/{parent-id}/<struct>`. */
export function structEndpoints(path: string, operations: ReadonlySet<Operation>): Endpoint[] {
  return endpoints(operations, (operation) => {
    if (operation === 'create') return [path]
    // The specification defines the form with an id, which has no effect.
    return operation === 'list' ? [`${path}/{id}/all`, `${path}/all`] : [`${path}/{id}`]
  })
}

function endpoints(
  operations: ReadonlySet<Operation>,
  pathsOf: (operation: Operation) => readonly [string, ...string[]],
): Endpoint[] {
  return OPERATIONS.filter((operation) => operations.has(operation)).map((operation) => ({
    operation,
    method: METHODS[operation],
    paths: pathsOf(operation),
    success: operation === 'create' ? 201 : operation === 'identify' ? 302 : 200,
  }))
}

/** Whether an endpoint changes or deletes one entity, for which requests can require a version (`If-Match`). */
export function writesOne({ operation }: Endpoint): boolean {
  return operation === 'update' || operation === 'patch' || operation === 'delete'
}

/** Whether responses of an endpoint are one entity, with its version (`ETag`). */
export function returnsOne({ operation }: Endpoint): boolean {
  return operation !== 'delete' && operation !== 'list' && operation !== 'identify'
}

/** The name of an endpoint as a function, such as `createHome`. Unique in the platform, because declared names are. */
export function operationName({ names }: Entity, { operation }: Endpoint): string {
  return `${operation}${names.declared}`
}

/** Describes what an endpoint does, in sentences. */
export function describeEndpoint({ service, entity, endpoint }: EndpointContext): string {
  const name = entity.names.declared
  const parent = 'parent' in entity ? ` of ${withArticle(service.names.declared)}` : ''
  const one = `${withArticle(name)}${parent}`
  switch (endpoint.operation) {
    case 'create':
      return `Creates ${one} and returns it.`
    case 'read':
      return `Returns ${one}.`
    case 'update':
      return `Replaces all attributes of ${one} that clients can set, and returns the updated entity.`
    case 'patch':
      return `Changes the attributes of ${one} that the request contains, and returns the updated entity.`
    case 'delete':
      return entity === service.entity && service.structs.length > 0
        ? `Deletes ${one} with all of its entries in ${service.structs.map(({ names }) => names.declared).join(', ')}. References to it are not changed.`
        : `Deletes ${one}.`
    case 'list':
      return entity.criteria === undefined
        ? `Returns all ${name} entities${parent} that the caller may read, in the order of creation.`
        : `Returns the ${name} entities${parent} that the caller may read and that match all filters.`
    case 'identify':
      return `Redirects to the caller's ${name}.`
    default:
      return assertNever(endpoint.operation)
  }
}
