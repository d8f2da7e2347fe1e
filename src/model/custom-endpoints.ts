import { argumentWords, bindArguments, wordText } from '../language/argument-binding.ts'
import { metadataNamed } from '../language/builtins.ts'
import { documentationOf } from '../language/documentation.ts'
import { routeOf, segmentsOf } from '../language/endpoint-path.ts'
import { type Endpoint, isAttribute, type Service as ServiceNode } from '../language/generated/ast.ts'
import { parseInteger } from '../language/numbers.ts'
import { metadataOf } from '../language/validation/definition-index.ts'
import { namesOf } from '../naming.ts'
import type { Attribute, CustomEndpoint, CustomResponse, Entity, Method, Service } from './platform.ts'
import { resolveAttribute, type ServiceTargets } from './resolve-attribute.ts'

/** The service around an endpoint. */
interface EnclosingService {
  readonly node: ServiceNode
  /** Path of the service: `/api/home`. */
  readonly path: string
  /** The entity of the service, and those of its structs. */
  readonly entities: readonly Entity[]
  readonly targets: ServiceTargets
  readonly authenticated: boolean
}

/** What an `endpoint` block says about its route and its callers. The path is below that of the service. */
type EndpointHead = Pick<CustomEndpoint, 'method' | 'path' | 'hasId' | 'check' | 'roles' | 'isPublic'>

/** The route of an `endpoint` block and who may call it; `undefined` without a path. */
export function endpointHead(endpoint: Endpoint): EndpointHead | undefined {
  const route = routeOf(endpoint)
  if (route === undefined) return undefined
  const method = route.method.toUpperCase() as Method
  const hasId = parametersOf(route.path).includes('id')
  const access = metadataOf(endpoint, 'access')
  const words = (name: string) => (access === undefined ? [] : argumentWords(access, name).map(wordText))
  const [checked = method === 'GET' ? 'readable' : 'writable'] = words('check')
  return {
    method,
    path: route.path,
    hasId,
    check: hasId && (checked === 'readable' || checked === 'writable') ? checked : undefined,
    roles: words('by'),
    isPublic: metadataOf(endpoint, 'public') !== undefined,
  }
}

const parametersOf = (path: string): string[] =>
  segmentsOf(path).flatMap((segment) => (segment?.kind === 'parameter' ? [segment.text] : []))

/** Resolves an `endpoint` block of a checked definition. */
export function resolveCustomEndpoint(endpoint: Endpoint, around: EnclosingService): CustomEndpoint {
  const head = endpointHead(endpoint)
  if (head === undefined) throw new Error('An endpoint without a path has not been checked.')
  const attributes = endpoint.members
    .filter(isAttribute)
    .map((attribute) => resolveAttribute(attribute, around.node, around.targets))
  const pathAttributes = parametersOf(head.path).flatMap((name) =>
    attributes.filter(({ names }) => names.declared === name),
  )
  return {
    ...head,
    names: namesOf(endpoint.name),
    documentation: documentationOf(endpoint),
    path: `${around.path}/${head.path}`,
    pathAttributes,
    requestAttributes: attributes.filter(
      (attribute) => attribute.inRequest && !pathAttributes.includes(attribute),
    ),
    response: responseOf(endpoint, around, attributes),
    status: statusOf(endpoint),
    isPublic: around.authenticated && head.isPublic,
  }
}

function responseOf(
  endpoint: Endpoint,
  { entities }: EnclosingService,
  attributes: readonly Attribute[],
): CustomResponse {
  const returns = metadataOf(endpoint, 'returns')
  for (const kind of ['entity', 'list'] as const) {
    const [word] = returns === undefined ? [] : argumentWords(returns, kind)
    const entity = word && entities.find(({ names }) => names.declared === wordText(word))
    if (entity !== undefined) return { kind, entity }
  }
  return { kind: 'object', attributes: attributes.filter(({ inResponse }) => inResponse) }
}

function statusOf(endpoint: Endpoint): number {
  const parameter = metadataNamed('status')?.parameter
  const given = metadataOf(endpoint, 'status')
  if (parameter === undefined || given === undefined) return 200
  const value = bindArguments(given.arguments, [parameter]).values.get(parameter.name)
  return value?.$type === 'NumberValue' ? Number(parseInteger(value.text) ?? 200) : 200
}

/** Whether requests to an endpoint have a body. */
export const hasBody = ({ method }: Pick<CustomEndpoint, 'method'>): boolean =>
  method !== 'GET' && method !== 'DELETE'

/** The names of the query parameters of an endpoint. */
export const queryNames = (endpoint: CustomEndpoint): string[] => [
  ...(endpoint.response.kind === 'list' ? ['limit', 'after'] : []),
  ...(hasBody(endpoint) ? [] : endpoint.requestAttributes.map(({ names }) => names.declared)),
]

/** All attributes of the requests to an endpoint: those in the path first. */
export const inputAttributes = ({ pathAttributes, requestAttributes }: CustomEndpoint): Attribute[] => [
  ...pathAttributes,
  ...requestAttributes,
]

/** The name of an endpoint in words: `Set cover`. */
export function customTitle({ names }: Pick<CustomEndpoint, 'names'>): string {
  const words = names.kebab.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** The name of a custom endpoint as a function: `quoteHome`. */
export const customOperationName = ({ names }: CustomEndpoint, service: Pick<Service, 'names'>): string =>
  `${names.camel}${service.names.declared}`
