import type { Endpoint, Method, Operation } from './platform.ts'

/** The order in which endpoints are listed everywhere. */
export const OPERATIONS: readonly Operation[] = ['create', 'read', 'update', 'delete', 'list', 'identify']

const METHODS: Readonly<Record<Operation, Method>> = {
  create: 'POST',
  read: 'GET',
  update: 'PUT',
  delete: 'DELETE',
  list: 'GET',
  identify: 'GET',
}

/** Endpoints of a service's entity; `path` is `/api/<service>`. `operations` in any order, without the omitted ones. */
export function entityEndpoints(path: string, operations: ReadonlySet<Operation>): Endpoint[] {
  return endpoints(operations, (operation) => {
    if (operation === 'create' || operation === 'identify') return [path]
    return operation === 'list' ? [`${path}/all`] : [`${path}/{id}`]
  })
}

/** Endpoints of a struct; `path` is `/api/<parent>/{parent-id}/<struct>`. */
export function structEndpoints(path: string, operations: ReadonlySet<Operation>): Endpoint[] {
  return endpoints(operations, (operation) => {
    if (operation === 'create') return [path]
    // The form with an id that changes nothing is the one that the user's specification gives.
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
