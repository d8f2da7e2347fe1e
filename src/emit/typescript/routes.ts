import { hasOperation, requestReferences, checksReferences } from '../../model/entities.ts'
import { SERVICE_TEXTS } from '../../model/error-texts.ts'
import type { Endpoint, Operation, Struct } from '../../model/platform.ts'
import { codeFile } from '../codegen/code-file.ts'
import { block, call, chain, type Code, code, moving } from '../codegen/layout.ts'
import { parentKey } from './names.ts'
import { hasOwnReference, referenceTargets } from './reference-checks.ts'
import { HANDLERS, updateFunction } from './route-handlers.ts'
import type { RouteScope } from './route-scope.ts'
import type { EntityScope, ServiceScope } from './scope.ts'

const REQUESTS = '#lib/requests.ts'

/** `routes/<entity>.ts`: the endpoints of an entity. */
export function routesFile(service: ServiceScope, entityScope: EntityScope): string {
  const file = codeFile(`routes/${entityScope.entity.names.kebab}.ts`)
  const scope: RouteScope = {
    ...service,
    ...entityScope,
    file,
    value: (module, name) => file.value(module, name),
    caller: service.authenticated ? 'caller' : 'undefined',
    key: entityScope.struct === undefined ? undefined : parentKey(entityScope.struct),
  }
  const { entity, names, struct } = scope
  const routes = entity.endpoints
    .toSorted((a, b) => Number(b.operation === 'list') - Number(a.operation === 'list'))
    .flatMap((endpoint) => [
      ...route(scope, endpoint),
      ...(endpoint.operation === 'list' ? otherMethods(scope, endpoint) : []),
    ])
  const head = `return new ${file.value('hono', 'Hono')}${environment(scope)}()`
  const members = [...usedMembers(scope), ...(struct === undefined ? ['hooks'] : [])]
  return file.text(code`/** The endpoints of ${entity.names.declared}. */
${block(`export function ${names.routes}(env: ${file.type('hooks.ts', 'Env')})`, [
  ...(members.length === 0 ? [] : [`const { ${members.join(', ')} } = env`]),
  ...(struct === undefined ? [] : [`const hooks = env.hooks.${entity.names.camel}`]),
  ...referenceTargets(scope),
  '',
  ...updateFunction(scope),
  ...listApp(scope),
  // The formatter keeps one call after its head.
  routes.length === 1 ? code`${head}${routes}` : { ...chain(head, ...routes), expanded: true },
])}`)
}

function environment({ file, authenticated }: RouteScope): string {
  const apiEnv = file.type('#lib/api.ts', 'ApiEnv')
  return authenticated
    ? `<${apiEnv} & { Variables: { caller: ${file.type('#lib/tokens.ts', 'Caller')} } }>`
    : `<${apiEnv}>`
}

/** The members of the environment that handlers use outside of a transaction. */
function usedMembers(scope: RouteScope): string[] {
  const { entity, struct } = scope
  const has = (...operations: readonly Operation[]) => hasOperation(entity, ...operations)
  const references = checksReferences(entity)
  const kinds = new Set(
    requestReferences(entity).map(({ type }) =>
      type.kind === 'reference' && !type.local ? 'comm' : type.kind,
    ),
  )
  return [
    ...(references && kinds.has('comm') ? ['comm'] : []),
    ...(has('read', 'update', 'list', 'identify') || (references && kinds.has('sibling'))
      ? ['datastore']
      : []),
    ...(has('update', 'delete') ||
    (struct !== undefined && has('create', 'read', 'list')) ||
    has('read') ||
    (references && kinds.has('reference') && hasOwnReference(scope))
      ? ['access']
      : []),
    ...(has('list') ? ['log'] : []),
  ]
}

/** The parts of a route that come before its handler. */
function middleware(scope: RouteScope, { operation, paths: [path] }: Endpoint): Code[] {
  const { value, names, file, key } = scope
  const ids = [
    ...(path.includes('{parent-id}') ? [`'${key}'`] : []),
    ...(path.includes('{id}') ? ["'id'"] : []),
  ]
  return [
    ...(ids.length === 0 ? [] : [call(value(REQUESTS, 'ids'), ...ids)]),
    ...(operation === 'list' ? [listParameters(scope)] : []),
    ...(operation === 'create' || operation === 'update'
      ? [call(value(REQUESTS, 'body'), file.value('entities.ts', names.request))]
      : []),
    ...(operation === 'patch'
      ? [call(value(REQUESTS, 'patch'), file.value('entities.ts', names.request))]
      : []),
  ]
}

/** Reads the query parameters of a list. */
function listParameters({ entity, names, file, value }: RouteScope): Code {
  if (entity.criteria === undefined) return value('#lib/lists.ts', 'page')
  return call(value('#lib/filters.ts', 'listQuery'), file.value('entities.ts', names.query))
}

function route(scope: RouteScope, endpoint: Endpoint): Code[] {
  const { method, paths } = endpoint
  const [path, ...others] = paths.map((each) => `'${honoPath(scope.struct, each)}'`)
  if (others.length > 0) return [path, ...others].map((each) => call('.route', each ?? '', 'all'))
  return [call(`.${method.toLowerCase()}`, path ?? '', ...steps(scope, endpoint))]
}

/** What a route runs: its middleware and its handler. */
function steps(scope: RouteScope, endpoint: Endpoint): Code[] {
  return [...middleware(scope, endpoint), block('async (c) =>', HANDLERS[endpoint.operation](scope))]
}

/** The endpoint of a struct's list, which has two paths. */
function listApp(scope: RouteScope): Code[] {
  const endpoint = scope.entity.endpoints.find(({ paths }) => paths.length > 1)
  if (endpoint === undefined) return []
  return [
    code`const all = new ${scope.value('hono', 'Hono')}${environment(scope)}()${call('.get', "'/'", ...steps(scope, endpoint))}`,
    '',
  ]
}

/** The path of an endpoint in the form of Hono: `/home/:id`. */
export function honoPath(struct: Struct | undefined, path: string): string {
  const parent = struct === undefined ? '' : parentKey(struct)
  return path
    .replace('/api', '')
    .replace('{parent-id}', `:${parent}`)
    .replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Rejects other methods of the list's path, which would otherwise match an entity with the id `all`. */
function otherMethods(scope: RouteScope, { paths }: Endpoint): Code[] {
  const { entity } = scope
  if (!hasOperation(entity, 'update', 'delete')) return []
  const path = honoPath(scope.struct, paths.at(-1) ?? '')
  const response = call(
    'c.json',
    `{ error: '${SERVICE_TEXTS.methodNotAllowed}' }`,
    '405',
    "{ Allow: 'GET, HEAD' }",
  )
  return [call('.all', `'${path}'`, moving('(c) =>', response))]
}
