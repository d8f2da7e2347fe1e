import type { Entity, Operation } from '../../model/platform.ts'
import { codeFile } from '../kit/code-file.ts'
import { type Code, call, code, hang, join, list } from '../kit/layout.ts'
import type { ServiceScope } from './access.ts'
import { createHandler } from './handlers/create.ts'
import { deleteHandler } from './handlers/delete.ts'
import { identifyHandler } from './handlers/identify.ts'
import { listHandler } from './handlers/list.ts'
import { readHandler } from './handlers/read.ts'
import { refusals } from './handlers/refusals.ts'
import { type ContextMember, handlerName, type RouteScope } from './handlers/scope.ts'
import { updateHandler } from './handlers/update.ts'
import { entityTypes } from './names.ts'

const HANDLERS: Readonly<Record<Operation, (scope: RouteScope) => Code>> = {
  create: createHandler,
  read: readHandler,
  update: updateHandler,
  delete: deleteHandler,
  list: listHandler,
  identify: identifyHandler,
}

/** `routes/<entity>.ts`: the endpoints of an entity; `undefined` where all are omitted. */
export function routesFile(scope: ServiceScope, entity: Entity): string | undefined {
  const types = entityTypes(scope.service).get(entity)
  if (types === undefined || entity.endpoints.length === 0) return undefined
  const file = codeFile(`routes/${entity.names.kebab}.ts`)
  const members = new Set<ContextMember>()
  const struct = scope.service.structs.find((candidate) => candidate === entity)
  const use = (member: ContextMember) => {
    members.add(member)
    return member
  }
  const routeScope: RouteScope = { ...scope, file, entity, struct, types, use }
  file.type('hono', 'Hono')
  file.type('hooks.ts', 'ApiEnv')
  const handlers = entity.endpoints.map(({ operation }) => HANDLERS[operation](routeScope))
  const refused = refusals(routeScope)

  const camel = entity.names.camel
  const needed = [...members].toSorted()
  const parameters = ['api: Hono<ApiEnv>', `context: ${file.type('context.ts', 'ServiceContext')}`]
  const title = list(`export function ${routesFunction(entity)}(`, parameters, ')')
  return file.text(code`/** The endpoints of ${entity.names.declared}. */
${title}: void {
  const { ${needed.join(', ')} } = context
  const hooks = context.hooks.${camel}
  const statements = context.statements.${camel}

${join([...refusedMethods(routeScope), ...registrations(entity)], '\n')}

${join(handlers, '\n\n')}
}${refused}`)
}

/** The function that adds an entity's endpoints to the API. */
export function routesFunction(entity: Entity): string {
  return `add${entity.names.declared}Routes`
}

/** Lists come before what is read by id, since `all` would be taken for one. */
function registrations(entity: Entity): Code[] {
  const sorted = entity.endpoints.toSorted(
    (a, b) => Number(b.operation === 'list') - Number(a.operation === 'list'),
  )
  return sorted.flatMap(({ method, operation, paths }) =>
    paths.map((path) => {
      const own = path.replace('/api', '').replace('{parent-id}', ':parentId').replace('{id}', ':id')
      return code`  ${call(`api.${method.toLowerCase()}`, `'${own}'`, hang('(c) =>', `${handlerName(operation)}(c)`))}`
    }),
  )
}

/** Other methods of the list's path, which would else be taken for those of an entity with the id `all`. */
function refusedMethods({ file, entity }: RouteScope): Code[] {
  if (!entity.endpoints.some(({ operation }) => operation === 'list')) return []
  const methods = entity.endpoints.filter(({ operation }) => operation === 'update' || operation === 'delete')
  const byId = methods[0]?.paths[0]
  if (byId === undefined) return []
  const path = byId.replace('/api', '').replace('{parent-id}', ':parentId').replace('{id}', 'all')
  const names = methods.map(({ method }) => `'${method}'`).join(', ')
  return [code`  ${call('api.on', `[${names}]`, `'${path}'`, file.value('methods.ts', 'refuseMethod'))}`]
}
