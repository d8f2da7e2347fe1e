import { hasBody } from '../../model/custom-endpoints.ts'
import { endpointAttributes } from '../../model/entities.ts'
import type { Attribute, CustomEndpoint } from '../../model/platform.ts'
import { readEnums, readLine, receivedFields, writtenFields } from './declared-attributes.ts'
import { goFile, type GoFile } from './go-file.ts'
import { comment, type Field, func, literal, quoted, struct } from './layout.ts'
import type { EndpointNames } from './names.ts'
import { type EndpointScope, endpointScopesOf, type EntityScope, type ServiceScope } from './scope.ts'

/** `endpoints.go`: the requests, responses and handlers of endpoints. */
export function endpointsFile(scope: ServiceScope): string {
  const file = goFile(scope.module, 'main')
  const platform = file.internal('platform')
  const endpoints = endpointScopesOf(scope.service)
  const fields = endpoints.map(({ endpoint, names }): Field => {
    const result = resultType(file, endpoint, names, scope.entities)
    return {
      ...(endpoint.documentation === '' ? {} : { documentation: endpoint.documentation }),
      name: names.field,
      type: `${platform}.Endpoint[*Env, ${names.request}, ${result}]`,
    }
  })
  const handled = endpoints.map(({ names: { field } }) => [quoted(field), `e.${field}.HasHandler()`] as const)
  return file.text([
    `// Endpoints has the endpoints, whose handlers setup.go registers.\n${struct('Endpoints', fields)}`,
    func({ receiver: 'e *Endpoints', name: 'requireHandlers', parameters: [], result: 'error' }, [
      `return ${platform}.RequireHandlers(${literal('map[string]bool', handled)})`,
    ]),
    ...endpoints.flatMap((own) => endpointParts(file, own)),
  ])
}

/** What the handler of an endpoint returns. */
export function resultType(
  file: GoFile,
  { response }: CustomEndpoint,
  names: EndpointNames,
  entities: readonly EntityScope[],
): string {
  if (response.kind === 'object') return names.response
  const { type } = returnedNames(response.entity, entities)
  return response.kind === 'entity' ? type : `${file.internal('platform')}.PageResult[${type}]`
}

/** The names of the entity that an endpoint returns. */
export function returnedNames(
  entity: EntityScope['entity'],
  entities: readonly EntityScope[],
): EntityScope['names'] {
  const found = entities.find((own) => own.entity === entity)
  if (found === undefined) throw new Error('An endpoint returns entities of its own service')
  return found.names
}

function endpointParts(file: GoFile, { endpoint, names }: EndpointScope): string[] {
  const { pathAttributes, requestAttributes, response } = endpoint
  const { declared } = endpoint.names
  const platform = file.internal('platform')
  const responded = response.kind === 'object' ? response.attributes : []
  const isQueried = response.kind === 'list' && !hasBody(endpoint)
  const readMethod = (
    receiver: string,
    name: string,
    attributes: readonly Attribute[],
    isRequest: boolean,
  ) => {
    const [variable = ''] = receiver.split(' ')
    const lines = attributes.map((attribute) => readLine(file, variable, attribute, names, isRequest))
    if (name === 'read' && isRequest && isQueried) lines.unshift(`${variable}.PageRequest.Read(values)`)
    return attributes.length === 0
      ? []
      : [func({ receiver, name, parameters: [`values *${platform}.Values`] }, lines)]
  }
  const request = `request *${names.request}`
  return [
    ...readEnums(file, endpointAttributes(endpoint), names),
    [
      ...comment(`${names.request} is what a request to ${declared} contains.`),
      struct(names.request, requestFields(file, endpoint, names)),
    ].join('\n'),
    ...readMethod(request, 'readPath', pathAttributes, true),
    ...readMethod(request, 'read', requestAttributes, true),
    ...(response.kind === 'object'
      ? [
          [
            ...comment(`${names.response} is what the handler of ${declared} returns.`),
            struct(names.response, responseFields(file, endpoint, names)),
          ].join('\n'),
        ]
      : []),
    ...readMethod(`response *${names.response}`, 'read', responded, false),
  ]
}

function requestFields(file: GoFile, endpoint: CustomEndpoint, names: EndpointNames): Field[] {
  const { hasId, pathAttributes, requestAttributes, response } = endpoint
  return [
    ...(response.kind === 'list' ? [{ type: `${file.internal('platform')}.PageRequest` }] : []),
    ...(hasId ? [{ name: 'ID', type: `${file.use('github.com/google/uuid')}.UUID` }] : []),
    ...receivedFields(file, [...pathAttributes, ...requestAttributes], names),
  ]
}

/** The fields of a response that has attributes of its own. */
export function responseFields(file: GoFile, { response }: CustomEndpoint, names: EndpointNames): Field[] {
  return response.kind === 'object' ? writtenFields(file, response.attributes, names) : []
}
