import { customOperationName, hasBody, inputAttributes } from '../../../model/custom-endpoints.ts'
import { describeCustomEndpointAccess } from '../../../model/describe-access.ts'
import type {
  Attribute,
  CustomEndpoint,
  CustomEndpointContext,
  Entity,
  Service,
} from '../../../model/platform.ts'
import { docComment } from '../../codegen/doc-comments.ts'
import { type Code, call, code, LINE_WIDTH, list, object, print } from '../../codegen/layout.ts'
import { requestProperty, responseProperty } from './attributes.ts'
import type { ClientTypeNames } from './type-names.ts'

/** A custom endpoint in a client. */
export interface CustomClientFunction extends CustomEndpointContext {
  readonly types: ClientTypeNames
}

/** The entities that custom endpoints return. */
export function returnedEntities({ customEndpoints }: Service): ReadonlySet<Entity> {
  return new Set(
    customEndpoints.flatMap(({ response }) => (response.kind === 'object' ? [] : [response.entity])),
  )
}

/** The types of what an endpoint takes and returns. */
export function customTypes({ service, endpoint, types }: CustomClientFunction): string[] {
  const { hasId, response, names } = endpoint
  const { request, response: own } = types.ofCustom(endpoint)
  const id = `  /** The id of the ${service.names.declared}. */\n  readonly id: string`
  const attributes = inputAttributes(endpoint)
  return [
    ...(hasInput(endpoint)
      ? [
          interfaceOf(`What a request to ${names.declared} contains.`, request, [
            ...(hasId ? [id] : []),
            ...attributes.map(requestProperty),
          ]),
        ]
      : []),
    ...(response.kind === 'object' && response.attributes.length > 0
      ? [interfaceOf(`What ${names.declared} returns.`, own, response.attributes.map(responseProperty))]
      : []),
  ]
}

function interfaceOf(documentation: string, name: string, properties: readonly string[]): string {
  return `${docComment(documentation)}export interface ${name} {\n${properties.join('\n')}\n}`
}

const hasInput = (endpoint: CustomEndpoint): boolean => endpoint.hasId || inputAttributes(endpoint).length > 0

/** The endpoint as a method of an interface, with its documentation. */
export function customSignature(scope: CustomClientFunction): Code {
  const { service, endpoint, types } = scope
  const { response, documentation, method, path } = endpoint
  const isList = response.kind === 'list'
  const { request } = types.ofCustom(endpoint)
  const parameters = [
    ...(hasInput(endpoint) ? [`request: ${request}`] : []),
    `options?: ${isList ? 'ListOptions' : 'CallOptions'}`,
  ]
  const value = valueType(scope)
  const text = documentation || `Sends a request to \`${method} ${path}\`.`
  const comment = docComment(`${text} Open to ${describeCustomEndpointAccess(scope)}.`, 2)
  const result = isList ? `Pages<${value}>` : `Promise<Result<${value}>>`
  return code`${comment}  ${list(`${customOperationName(endpoint, service)}(`, parameters, `): ${result}`)}`
}

function valueType({ endpoint, types }: CustomClientFunction): string {
  const { response } = endpoint
  if (response.kind !== 'object') return types.of(response.entity).response
  return response.attributes.length === 0 ? 'void' : types.ofCustom(endpoint).response
}

/** The endpoint as a property of the object that implements it. */
export function customImplementation(scope: CustomClientFunction): Code {
  const { service, endpoint } = scope
  const parameters = [...(hasInput(endpoint) ? ['request'] : []), 'options']
  const head = `    ${customOperationName(endpoint, service)}: (${parameters.join(', ')}) =>`
  const value = action(scope)
  const line = `${head} ${print(value)}`
  return line.includes('\n') || line.length >= LINE_WIDTH ? code`${head}\n      ${value}` : line
}

function action(scope: CustomClientFunction): Code {
  const { endpoint } = scope
  const { method, path, requestAttributes, response } = endpoint
  const inPath = pathValues(endpoint)
  const target: Code = inPath.length === 0 ? `'${path}'` : call('pathOf', `'${path}'`, ...inPath)
  const sent: Code | undefined =
    requestAttributes.length === 0
      ? undefined
      : inPath.length === 0
        ? 'request'
        : inline(requestAttributes.map(({ names }) => `${names.declared}: request.${names.declared}`))
  const isInQuery = sent !== undefined && !hasBody(endpoint)
  if (response.kind === 'list') {
    const request = inline([
      `method: '${method}'`,
      code`path: ${target}`,
      ...(sent === undefined ? [] : [code`${isInQuery ? 'query' : 'body'}: ${sent}`]),
      'options',
    ])
    return call('pagesOf', 'connection', `'${response.entity.listKey}'`, request)
  }
  const request = inline([
    `method: '${method}'`,
    code`path: ${isInQuery ? call('withQuery', target, sent) : target}`,
    ...(sent === undefined || isInQuery ? [] : [code`body: ${sent}`]),
    'options',
  ])
  return call(`connection.send<${valueType(scope)}>`, request)
}

/** An object on one line, if it fits. */
const inline = (members: readonly Code[]): Code => ({ ...object(members), expanded: false })

/** The values of the parameters of the path, in its order. */
function pathValues({ path, pathAttributes }: CustomEndpoint): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => {
    const attribute = pathAttributes.find(({ names }) => names.declared === name)
    return attribute === undefined || isText(attribute) ? `request.${name}` : `String(request.${name})`
  })
}

function isText({ type: { kind } }: Attribute): boolean {
  return kind !== 'bool' && kind !== 'int' && kind !== 'float'
}
