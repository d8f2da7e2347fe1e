import { hasBody } from '../../model/custom-endpoints.ts'
import { endpointReferences } from '../../model/entities.ts'
import type { CustomEndpoint } from '../../model/platform.ts'
import { fieldOf } from './declared-attributes.ts'
import { goFile, type GoFile } from './go-file.ts'
import { call, func, indented, quoted } from './layout.ts'
import { SHORT, target } from './route-references.ts'
import { check, returned } from './route-scope.ts'
import { goPath } from './routes.ts'
import { type EndpointScope, endpointScopesOf, type ServiceScope } from './scope.ts'

/** `endpoints_routes.go`: what comes before and after the handlers of endpoints. */
export function endpointsRoutesFile(scope: ServiceScope): string {
  const file = goFile(scope.module, 'main')
  const platform = file.internal('platform')
  const endpoints = endpointScopesOf(scope.service)
  const open = endpoints
    .filter(({ endpoint }) => endpoint.isPublic)
    .map(({ endpoint }) => patternOf(endpoint))
  const routes = endpoints.map(({ endpoint, names: { field } }) => {
    const router = startsWithId(endpoint) ? 'Generated' : 'Endpoints'
    return `api.${router}.Handle(${patternOf(endpoint)}, env.handle${field})`
  })
  return file.text([
    `// addEndpoints adds the endpoints. Returns an error if one has no handler.\n${func(
      { receiver: 'env *Env', name: 'addEndpoints', parameters: [`api *${platform}.API`], result: 'error' },
      [
        ...routes,
        ...(open.length === 0 ? [] : [call('api.OpenEndpoints', open)]),
        'return env.Endpoints.requireHandlers()',
      ],
    )}`,
    ...endpoints.map((own) => handler(scope, file, own)),
  ])
}

const patternOf = ({ method, path }: CustomEndpoint) => quoted(`${method} ${goPath(path)}`)

/** Others begin with text, which comes before ids because it would otherwise be taken for one. */
const startsWithId = ({ path }: CustomEndpoint) => path.split('/')[3] === '{id}'

function handler(scope: ServiceScope, file: GoFile, { endpoint, names }: EndpointScope): string {
  const { hasId, check: access, roles, response } = endpoint
  const platform = file.internal('platform')
  const http = file.use('net/http')
  const run = `env.Endpoints.${names.field}.Run(r.Context(), env, request, caller, r)`
  const required = access === 'readable' ? 'RequireReadable' : 'RequireWritable'
  return func(
    {
      receiver: 'env *Env',
      name: `handle${names.field}`,
      parameters: [`w ${http}.ResponseWriter`, `r *${http}.Request`],
      result: 'error',
    },
    [
      `caller := ${platform}.CallerOf(r.Context())`,
      ...(hasId
        ? [`id, err := ${platform}.PathID(r, "id")`, returned, `request := ${names.request}{ID: id}`]
        : [`var request ${names.request}`]),
      ...reads(file, endpoint),
      ...(roles.length === 0 ? [] : [check(`caller.RequireRole(${roles.map(quoted).join(', ')})`)]),
      ...(access === undefined ? [] : [check(`env.${required}(r.Context(), request.ID, caller)`)]),
      ...referenceCheck(scope, file, { endpoint, names }),
      `${response.kind === 'list' ? 'page' : 'response'}, err := ${run}`,
      returned,
      `return ${responding(file, { endpoint, names })}`,
    ],
  )
}

/** Reads what a request has besides an id. */
function reads(file: GoFile, endpoint: CustomEndpoint): string[] {
  const { pathAttributes, requestAttributes, response } = endpoint
  const platform = file.internal('platform')
  const isPage = response.kind === 'list'
  const isRead = requestAttributes.length > 0
  const page = check(`${platform}.ReadParameters(r, request.PageRequest.Read)`)
  const path = pathAttributes.map(({ names }) => quoted(names.declared))
  const inBody = hasBody(endpoint)
  return [
    ...(path.length === 0 ? [] : [check(call(`${platform}.ReadPath`, ['r', 'request.readPath', ...path]))]),
    ...(isPage && (inBody || !isRead) ? [page] : []),
    ...(isRead ? [check(`${platform}.${inBody ? 'ReadJSON' : 'ReadParameters'}(r, request.read)`)] : []),
  ]
}

function referenceCheck(
  { service }: ServiceScope,
  file: GoFile,
  { endpoint, names }: EndpointScope,
): string[] {
  const references = endpointReferences(endpoint)
  if (references.length === 0) return []
  const platform = file.internal('platform')
  const items = references.map((attribute) => {
    const pointer = attribute.optional ? '' : '&'
    return `${platform}.Reference{To: ${target(attribute.type)}, ID: ${pointer}request.${fieldOf(names, attribute)}}`
  })
  const [only = ''] = items
  const hasOwn = references.some(({ type }) => type.kind === 'reference' && type.local)
  return [
    ...(hasOwn
      ? [`own := ${platform}.OwnTarget(${quoted(service.names.declared)}, env.Datastore.findReadable)`]
      : []),
    ...(items.length === 1 && only.length < SHORT
      ? [check(`${platform}.RequireReferences(r.Context(), caller, ${only})`)]
      : [
          [
            `if err := ${platform}.RequireReferences(r.Context(), caller,`,
            ...indented(items.map((item) => `${item},`)),
            '); err != nil {',
            '\treturn err',
            '}',
          ].join('\n'),
        ]),
  ]
}

/** The constants of net/http for some statuses. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [203, 'NonAuthoritativeInfo'],
  [206, 'PartialContent'],
])

function responding(
  file: GoFile,
  { endpoint: { names: own, response, status }, names }: EndpointScope,
): string {
  const platform = file.internal('platform')
  const word = STATUSES.get(status)
  const code = word === undefined ? String(status) : `${file.use('net/http')}.Status${word}`
  if (response.kind === 'list')
    return `page.Respond(w, r, ${quoted(response.entity.listKey)}, request.PageRequest)`
  if (response.kind !== 'object') return `${platform}.JSON(w, ${code}, &response)`
  if (response.attributes.length === 0) return `${platform}.JSON(w, ${code}, response)`
  return call(`${platform}.Respond`, [
    'w',
    code,
    quoted(own.declared),
    'response',
    `(*${names.response}).read`,
  ])
}
