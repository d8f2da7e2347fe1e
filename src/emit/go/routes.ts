import { hasOperation, hookOperations } from '../../model/entities.ts'
import type { Endpoint, Operation } from '../../model/platform.ts'
import { goFile } from './go-file.ts'
import { block, func, quoted } from './layout.ts'
import { HANDLERS } from './route-handlers.ts'
import { type RouteScope } from './route-scope.ts'
import type { EntityScope, ServiceScope } from './scope.ts'

/** `<entity>_routes.go`: the endpoints of an entity. */
export function routesFile(service: ServiceScope, own: EntityScope): string {
  const file = goFile(service.module, 'main')
  const platform_ = file.internal('platform')
  const scope: RouteScope = {
    ...service,
    ...own,
    file,
    platform_,
    declared: quoted(own.entity.names.declared),
  }
  const { entity, names } = own
  const http = file.use('net/http')
  const handlers = hookOperations(entity).map((operation) =>
    func(
      {
        receiver: 'env *Env',
        name: handlerName(operation, names.type),
        parameters: [`w ${http}.ResponseWriter`, `r *${http}.Request`],
        result: 'error',
      },
      HANDLERS[operation](scope),
    ),
  )
  return file.text([
    `// add${names.type}Routes adds the endpoints of ${entity.names.declared}.\n${func(
      { receiver: 'env *Env', name: `add${names.type}Routes`, parameters: [`router *${platform_}.Router`] },
      entity.endpoints
        .toSorted((a, b) => Number(b.operation === 'list') - Number(a.operation === 'list'))
        .flatMap((endpoint) => registrations(scope, endpoint)),
    )}`,
    ...(own.struct === undefined || entity.endpoints.length === 0 ? [] : [pathFunction(scope)]),
    ...handlers,
  ])
}

const handlerName = (operation: Operation, type: string) => `${operation}${type}`

/** The path of an endpoint in the form of Go: `/home/{parentId}/photo/{id}`. */
export function goPath(path: string): string {
  return path.replace('/api', '').replace('{parent-id}', '{parentId}')
}

function registrations({ names, entity }: RouteScope, { operation, method, paths }: Endpoint): string[] {
  const handler = `env.${handlerName(operation === 'patch' ? 'update' : operation, names.type)}`
  return paths.map((path, index) =>
    operation === 'list' && index === paths.length - 1 && hasOperation(entity, 'update', 'delete')
      ? `router.HandleList("${goPath(path)}", ${handler})`
      : `router.Handle("${method} ${goPath(path)}", ${handler})`,
  )
}

/** What reads the ids in the path of an entry. */
function pathFunction({ names, file, platform_ }: RouteScope): string {
  const http = file.use('net/http')
  const head = {
    name: `pathOf${names.type}`,
    parameters: [`r *${http}.Request`],
    result: `(input ${names.id}, err error)`,
  }
  return func(head, [
    block(`if input.ParentID, err = ${platform_}.PathID(r, "parentId"); err != nil`, ['return input, err']),
    '// A list has two paths, of which one has an id that is ignored.',
    block('if r.PathValue("id") != ""', [`input.ID, err = ${platform_}.PathID(r, "id")`]),
    'return input, err',
  ])
}
