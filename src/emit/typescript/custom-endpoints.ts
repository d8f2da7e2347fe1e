import { hasBody } from '../../model/custom-endpoints.ts'
import type { Attribute, CustomEndpoint, Service } from '../../model/platform.ts'
import { type CodeFile, codeFile } from '../codegen/code-file.ts'
import { docComment, withDocumentation } from '../codegen/doc-comments.ts'
import {
  block,
  braces,
  call,
  chain,
  type Code,
  code,
  hanging,
  join,
  list,
  object,
} from '../codegen/layout.ts'
import { schemaOf } from './entities.ts'
import { honoPath } from './routes.ts'
import type { EntityScope, ServiceScope } from './scope.ts'

const LIB = '#lib/endpoints.ts'
const REQUESTS = '#lib/requests.ts'
/** Where other modules import the schemas and types from. */
export const ENDPOINTS_MODULE = 'endpoints.ts'

/** `endpoints.ts`: the requests and responses of endpoints, also for other services. */
export function endpointsText(service: Service): string {
  const file = codeFile(ENDPOINTS_MODULE)
  return file.text(
    join(
      service.customEndpoints.flatMap((each) => endpointSchemas(file, each)),
      '\n\n',
    ),
  )
}

/** The schemas and types of an endpoint. */
function endpointSchemas(file: CodeFile, endpoint: CustomEndpoint): Code[] {
  const { names, documentation, hasId, pathAttributes, response } = endpoint
  const { declared } = names
  const z = () => file.value('zod', 'z')
  const typeOf = (side: 'infer' | 'input'): string => {
    const types = [
      ...(hasId ? ['{ id: string }'] : []),
      ...(pathAttributes.length === 0 ? [] : [`${z()}.infer<typeof ${declared}Path>`]),
      ...(hasRequest(endpoint) ? [`${z()}.${side}<typeof ${declared}Request>`] : []),
      ...(hasPage(endpoint) ? [`${z()}.${side}<typeof ${declared}Page>`] : []),
    ]
    return types.length === 0 ? 'object' : types.join(' & ')
  }
  const about = docComment(withDocumentation(`What a request to ${declared} contains.`, documentation))
  return [
    ...(pathAttributes.length === 0
      ? []
      : [
          code`/** What the path of ${declared} contains. */
export const ${declared}Path = ${call(`${z()}.object`, object(members(file, pathAttributes, true)))}`,
        ]),
    ...(hasPage(endpoint)
      ? [
          code`/** Which page of ${declared} a request asks for. */
export const ${declared}Page = ${call(`${z()}.object`, file.value(LIB, 'pageRequest'))}`,
        ]
      : []),
    code`${about}${
      hasRequest(endpoint)
        ? code`export const ${declared}Request = ${call(`${z()}.object`, object(requestMembers(file, endpoint)))}
`
        : ''
    }export type ${declared}Request = ${typeOf('infer')}`,
    ...(hasInput(endpoint)
      ? [
          code`/** What a call of ${declared} needs. */
export type ${declared}Input = ${typeOf('input')}`,
        ]
      : []),
    ...(response.kind === 'object'
      ? [
          code`/** What the handler of ${declared} returns. */
export const ${declared}Response = ${call(`${z()}.object`, object(members(file, response.attributes, false)))}
export type ${declared}Response = ${z()}.infer<typeof ${declared}Response>`,
          publicFunction(declared, response.attributes),
        ]
      : []),
  ]
}

/** The members of a schema. `isText` tells whether values are text, as in a query. */
export function members(file: CodeFile, attributes: readonly Attribute[], isText: boolean): Code[] {
  return attributes.map(
    (attribute) =>
      code`${docComment(attribute.documentation)}${hanging(`${attribute.names.declared}:`, schemaOf(file, attribute, isText))}`,
  )
}

/** A list that is read from the query has its page there, too. */
function requestMembers(file: CodeFile, endpoint: CustomEndpoint): Code[] {
  const isPage = endpoint.response.kind === 'list' && !hasBody(endpoint)
  return [
    ...(isPage ? [`...${file.value(LIB, 'pageRequest')}`] : []),
    ...members(file, endpoint.requestAttributes, !hasBody(endpoint)),
  ]
}

/** Whether requests have a body or query of their own. */
const hasRequest = (endpoint: CustomEndpoint): boolean =>
  endpoint.requestAttributes.length > 0 || (endpoint.response.kind === 'list' && !hasBody(endpoint))

/** Whether a call needs anything. */
export const hasInput = (endpoint: CustomEndpoint): boolean =>
  endpoint.hasId || endpoint.pathAttributes.length > 0 || hasRequest(endpoint) || hasPage(endpoint)

/** Whether the page is read from the query and everything else from the body. */
const hasPage = (endpoint: CustomEndpoint): boolean => endpoint.response.kind === 'list' && hasBody(endpoint)

function publicFunction(declared: string, attributes: readonly Attribute[]): Code {
  const values = attributes.map(({ names, type, optional }) => {
    const value = `response.${names.declared}`
    const base64 = optional ? `${value}?.toString('base64') ?? null` : `${value}.toString('base64')`
    return hanging(`${names.declared}:`, type.kind === 'data' ? base64 : value)
  })
  const parameter = attributes.length === 0 ? '_response' : 'response'
  return code`/** What clients get from ${declared}. */
export const public${declared} = (${parameter}: ${declared}Response) => (${object(values)})
export type Public${declared} = ReturnType<typeof public${declared}>`
}

/** What the handler of an endpoint returns. */
export function resultType(
  file: CodeFile,
  { names, response }: CustomEndpoint,
  entities: readonly EntityScope[],
): string {
  if (response.kind === 'object') return `${schemasOf(file, 'type')}.${names.declared}Response`
  const stored = file.type('entities.ts', scopeOf(response.entity, entities).names.stored)
  return response.kind === 'entity' ? stored : `${stored}[] | ${file.type(LIB, 'PageOf')}<${stored}>`
}

/** The module of schemas and types as a namespace: names of endpoints may be those of other types. */
export const schemasOf = (file: CodeFile, kind: 'value' | 'type'): string =>
  file.namespace(ENDPOINTS_MODULE, 'schemas', kind)

const scopeOf = (entity: EntityScope['entity'], entities: readonly EntityScope[]): EntityScope => {
  const found = entities.find((each) => each.entity === entity)
  if (found === undefined) throw new Error('An endpoint returns entities of its own service')
  return found
}

/** `endpoint-routes.ts`: what comes before and after the handlers of endpoints. */
export function endpointRoutesFile(scope: ServiceScope): string {
  const { customEndpoints } = scope.service
  const file = codeFile('endpoint-routes.ts')
  const isOpen = customEndpoints.some(({ isPublic }) => isPublic)
  const apiEnv = file.type('#lib/api.ts', 'ApiEnv')
  const caller = scope.authenticated ? file.type('#lib/tokens.ts', 'Caller') : undefined
  const variables =
    caller === undefined ? '' : ` & { Variables: { caller: ${caller}${isOpen ? ' | undefined' : ''} } }`
  const head = `return new ${file.value('hono', 'Hono')}<${apiEnv}${variables}>()`
  const routes = customEndpoints
    .toSorted(byText)
    .map((endpoint) => route(scope, file, endpoint, isOpen && !endpoint.isPublic))
  return file.text(code`/** The endpoints whose handlers are in setup.ts. */
${block(`export function endpointRoutes(env: ${file.type('hooks.ts', 'Env')})`, [
  routes.length === 1 ? code`${head}${routes}` : { ...chain(head, ...routes), expanded: true },
])}`)
}

/** Text comes before parameters, whose values it would otherwise be taken for. */
const byText = (a: CustomEndpoint, b: CustomEndpoint): number => shapeOf(a).localeCompare(shapeOf(b))

/** The kind of each segment: `0` for text, `1` for a parameter. */
const shapeOf = ({ path }: CustomEndpoint): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('')

/** The route of an endpoint. `requiresCaller` tells whether requests without a token get here. */
function route(scope: ServiceScope, file: CodeFile, endpoint: CustomEndpoint, requiresCaller: boolean): Code {
  const { declared } = endpoint.names
  const schemas = () => schemasOf(file, 'value')
  const middleware = [
    ...(requiresCaller ? [file.value('#lib/public.ts', 'requireCaller')] : []),
    ...(endpoint.hasId ? [call(file.value(REQUESTS, 'ids'), "'id'")] : []),
    ...(endpoint.pathAttributes.length === 0
      ? []
      : [call(file.value(LIB, 'parameters'), `${schemas()}.${declared}Path`)]),
    ...(hasPage(endpoint)
      ? [call(file.value('#lib/filters.ts', 'listQuery'), `${schemas()}.${declared}Page`)]
      : []),
    ...(hasRequest(endpoint)
      ? [
          hasBody(endpoint)
            ? call(file.value(REQUESTS, 'body'), `${schemas()}.${declared}Request`)
            : call(file.value('#lib/filters.ts', 'listQuery'), `${schemas()}.${declared}Request`),
        ]
      : []),
  ]
  return call(
    `.${endpoint.method.toLowerCase()}`,
    `'${honoPath(undefined, endpoint.path)}'`,
    ...middleware,
    block('async (c) =>', handler(scope, file, endpoint)),
  )
}

function handler(scope: ServiceScope, file: CodeFile, endpoint: CustomEndpoint): Code[] {
  const { names, hasId, pathAttributes, check, roles, response, status } = endpoint
  const caller = scope.authenticated ? 'caller' : 'undefined'
  const sources = [
    ...(hasId || pathAttributes.length > 0 ? ["...c.req.valid('param')"] : []),
    ...(hasPage(endpoint) ? ["...c.req.valid('query')"] : []),
    ...(hasRequest(endpoint) ? [`...c.req.valid('${hasBody(endpoint) ? 'json' : 'query'}')`] : []),
  ]
  const [first] = sources
  const request = sources.length === 1 && first !== undefined ? first.slice(3) : braces(sources)
  const run = call(`env.endpoints.${names.camel}.run`, 'env', 'request', caller, 'c')
  return [
    ...(scope.authenticated ? ['const { caller } = c.var'] : []),
    ...(roles.length === 0
      ? []
      : [call(file.value('#lib/roles.ts', 'requireRole'), 'caller', ...roles.map((role) => `'${role}'`))]),
    code`const request = ${sources.length === 0 ? '{}' : request}`,
    ...(check === undefined
      ? []
      : [`await env.access.require${check === 'readable' ? 'Readable' : 'Writable'}(request.id, ${caller})`]),
    ...referenceCheck(scope, file, endpoint),
    code`const result = await ${run}`,
    code`return ${responseOf(scope, file, { names, response, status })}`,
  ]
}

function referenceCheck(
  { service, authenticated }: ServiceScope,
  file: CodeFile,
  { pathAttributes, requestAttributes }: CustomEndpoint,
): Code[] {
  const items = [...pathAttributes, ...requestAttributes].flatMap(({ names, type }) => {
    if (type.kind !== 'reference') return []
    const target = type.local
      ? `{ ...env.access, name: '${service.names.declared}' }`
      : `env.comm.${type.target.names.camel}`
    return [braces([`to: ${target}`, `id: request.${names.declared}`])]
  })
  if (items.length === 0) return []
  const references = { ...list('[', items, ']'), expanded: items.length > 1 }
  return [
    code`await ${call(file.value('#lib/references.ts', 'requireReferences'), references, authenticated ? 'caller' : 'undefined')}`,
  ]
}

function responseOf(
  { entities }: ServiceScope,
  file: CodeFile,
  { names: { declared }, response, status }: Pick<CustomEndpoint, 'names' | 'response' | 'status'>,
): Code {
  if (response.kind === 'object') {
    const schemas = schemasOf(file, 'value')
    return call(
      file.value(LIB, 'respond'),
      'c',
      `'${declared}'`,
      `${schemas}.${declared}Response`,
      `${schemas}.public${declared}(result)`,
      String(status),
    )
  }
  const { toPublic } = scopeOf(response.entity, entities).names
  const shown = file.value('entities.ts', toPublic)
  if (response.kind === 'entity')
    return call('c.json', `${shown}(result)`, ...(status === 200 ? [] : [String(status)]))
  return call(
    file.value('#lib/lists.ts', 'listResponse'),
    'c',
    'env.log',
    `'${response.entity.listKey}'`,
    call(file.value(LIB, 'pageOf'), 'request.limit', 'result'),
    shown,
  )
}
