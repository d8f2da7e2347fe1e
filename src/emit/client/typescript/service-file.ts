import { docComment } from '../../codegen/doc-comments.ts'
import { withArticle } from '../../../naming.ts'
import { filterParameters } from '../../../model/criteria.ts'
import { hasBody } from '../../../model/custom-endpoints.ts'
import type { CustomEndpoint, Entity, Platform, Service } from '../../../model/platform.ts'
import { type Code, code, join, print } from '../../codegen/layout.ts'
import { filterProperty, requestProperty, responseProperty } from './attributes.ts'
import { customImplementation, customSignature, customTypes, returnedEntities } from './custom-functions.ts'
import { type ClientFunction, implementation, signature } from './functions.ts'
import type { ClientTypeNames } from './type-names.ts'
import { entitiesOf, hasOperation } from '../../../model/entities.ts'

/** The name of the function that creates the API of a service. */
export function apiFunction({ names }: Service): string {
  return `${names.camel}Api`
}

/** `services/<service>.ts`: the types of a service's entity and structs, and its API. */
export function serviceFile(platform: Platform, service: Service, types: ClientTypeNames): string {
  const entities = entitiesOf(service)
  const functions = entities.flatMap((entity) =>
    entity.endpoints.map((endpoint): ClientFunction => ({ platform, service, entity, endpoint, types })),
  )
  const customs = service.customEndpoints.map((endpoint) => ({ platform, service, endpoint, types }))
  const returned = returnedEntities(service)
  const api = types.api(service)
  const parts = [
    imports(functions, service.customEndpoints),
    ...entities.flatMap((entity) => entityTypes(entity, types, returned.has(entity))),
    ...customs.flatMap(customTypes),
    code`/** The API of ${service.names.declared}. */
export interface ${api} {
${join([...functions.map(signature), ...customs.map(customSignature)], '\n\n')}
}`,
    code`/** Creates the API of ${service.names.declared} for a connection. */
export function ${apiFunction(service)}(connection: Connection): ${api} {
  return {
${join(
  [...functions.map(implementation), ...customs.map(customImplementation)].map((each) => code`${each},`),
  '\n',
)}
  }
}`,
  ]
  return `${print(join(parts, '\n\n'))}\n`
}

function imports(functions: readonly ClientFunction[], customs: readonly CustomEndpoint[]): Code {
  const hasPages = customs.some(({ response }) => response.kind === 'list')
  const operations = new Set(functions.map(({ endpoint }) => endpoint.operation))
  const lists = operations.has('list')
  const criteria = functions.some(({ entity }) => entity.criteria !== undefined)
  const calls =
    functions.some(({ endpoint }) => endpoint.operation !== 'list') ||
    customs.some(({ response }) => response.kind !== 'list')
  const paths =
    customs.some(({ path }) => path.includes('{')) ||
    functions.some(({ entity, endpoint }) => 'parent' in entity || endpoint.paths[0].includes('{'))
  const queries = customs.some(
    ({ response, requestAttributes, method }) =>
      response.kind !== 'list' && requestAttributes.length > 0 && !hasBody({ method }),
  )
  const fromConnection = [
    ...(calls ? ['type CallOptions'] : []),
    'type Connection',
    ...(paths ? ['pathOf'] : []),
  ]
  const connection = paths
    ? `import { ${fromConnection.join(', ')} } from '../connection.js'`
    : `import type { ${fromConnection.map((name) => name.replace('type ', '')).join(', ')} } from '../connection.js'`
  return [
    connection,
    ...(hasPages ? ["import { pagesOf } from '../endpoint-pages.js'"] : []),
    ...(lists
      ? [
          `import { ${criteria ? 'type Criteria, ' : ''}type ListOptions, listOf, type Pages } from '../pages.js'`,
        ]
      : hasPages
        ? ["import type { ListOptions, Pages } from '../pages.js'"]
        : []),
    ...(queries ? ["import { withQuery } from '../query.js'"] : []),
    ...(calls ? ["import type { Result } from '../result.js'"] : []),
  ].join('\n')
}

function entityTypes(entity: Entity, types: ClientTypeNames, isReturned: boolean): string[] {
  const { response, request, filter } = types.of(entity)
  const { declared } = entity.names
  const returned = entity.attributes.filter((attribute) => attribute.inResponse)
  const requested = entity.attributes.filter((attribute) => attribute.inRequest)
  return [
    ...(isReturned || hasOperation(entity, 'create', 'read', 'update', 'list')
      ? [
          `${docComment(entity.documentation || `${declared}, as the service returns it.`)}export interface ${response} {
${['  /** Assigned by the service. */\n  readonly id: string', ...returned.map(responseProperty)].join('\n')}
}`,
        ]
      : []),
    ...(hasOperation(entity, 'create', 'update') && requested.length > 0
      ? [
          `/** The body of a request to create or update ${withArticle(declared)}. */
export interface ${request} {
${requested.map(requestProperty).join('\n')}
}`,
        ]
      : []),
    ...(entity.criteria !== undefined && entity.criteria.filter.length > 0
      ? [
          `/** What a list of ${declared} can be filtered by. */
export interface ${filter} {
${filterParameters(entity.criteria).map(filterProperty).join('\n')}
}`,
        ]
      : []),
  ]
}
