import { docComment } from '../../codegen/doc-comments.ts'
import { withArticle } from '../../../naming.ts'
import { sortValues } from '../../../model/criteria.ts'
import { describeEndpoint, operationName, writesOne } from '../../../model/endpoints.ts'
import { assertNever, type Endpoint, type EndpointContext, type Entity } from '../../../model/platform.ts'
import { conflictCauses, errorResponses } from '../../../model/error-responses.ts'
import { describeEndpointAccess } from '../../../model/describe-access.ts'
import { type Code, call, code, LINE_WIDTH, list, object, print } from '../../codegen/layout.ts'
import type { ClientTypeNames } from './type-names.ts'
import { hasOperation } from '../../../model/entities.ts'

/** An endpoint in a client. */
export interface ClientFunction extends EndpointContext {
  readonly types: ClientTypeNames
}

/** The endpoint as a method of an interface, with its documentation. */
export function signature(scope: ClientFunction): Code {
  const { entity, endpoint } = scope
  const options = endpoint.operation === 'list' ? listOptions(scope) : 'CallOptions'
  const parameters = [
    ...idParameters(scope).map((name) => `${name}: ${name === 'id' ? idType(scope) : 'string'}`),
    ...bodyParameters(scope).map(({ name, type }) => `${name}: ${type}`),
    `options?: ${options}`,
  ]
  const result = endpoint.operation === 'list' ? resultType(scope) : `Promise<${resultType(scope)}>`
  return code`${docComment(documentationOf(scope), 2)}  ${list(`${operationName(entity, endpoint)}(`, parameters, `): ${result}`)}`
}

function listOptions({ entity, types }: ClientFunction): string {
  if (entity.criteria === undefined) return 'ListOptions'
  const sort = sortValues(entity.criteria).map((value) => `'${value}'`)
  return `ListOptions & Criteria<${types.of(entity).filter}, ${sort.length === 0 ? 'never' : sort.join(' | ')}>`
}

/** The endpoint as a property of the object that implements it. */
export function implementation(scope: ClientFunction): Code {
  const { entity, endpoint } = scope
  const ids = idParameters(scope)
  const body = bodyParameters(scope).map(({ name }) => name)
  const parameters = [...ids, ...body, 'options']
  const head = `    ${operationName(entity, endpoint)}: (${parameters.join(', ')}) =>`
  const value = action(scope, ids, body)
  const line = `${head} ${print(value)}`
  // If the body of the arrow function does not fit, it goes on its own line.
  return line.includes('\n') || line.length >= LINE_WIDTH ? code`${head}\n      ${value}` : line
}

function action(
  { service, entity, endpoint, types }: ClientFunction,
  ids: readonly string[],
  body: readonly string[],
): Code {
  const [path] = endpoint.paths.toSorted((a, b) => a.length - b.length)
  const isVersioned = entity.version !== undefined && writesOne(endpoint)
  const target: Code = ids.length === 0 ? `'${path}'` : call('pathOf', `'${path}'`, ...ids)
  if (endpoint.operation === 'list')
    return call('listOf', 'connection', target, `'${entity.listKey}'`, 'options')
  const request = {
    ...object([
      `method: '${endpoint.method}'`,
      code`path: ${target}`,
      ...body.map((name) => `body: ${name}`),
      ...(isVersioned ? ['version: id'] : []),
      ...(service.idempotent && endpoint.operation === 'create' ? ['isRepeatable: true'] : []),
      'options',
    ]),
    expanded: false,
  }
  if (isLocated(entity, endpoint)) return call('connection.locate', request)
  const value = endpoint.operation === 'delete' ? 'void' : types.of(entity).response
  return call(`connection.send<${value}>`, request)
}

/** Whether the endpoint identifies an entity that cannot be read, so that only its id is known. */
function isLocated(entity: Entity, { operation }: Endpoint): boolean {
  return operation === 'identify' && !hasOperation(entity, 'read')
}

function resultType({ entity, endpoint, types }: ClientFunction): string {
  const { response } = types.of(entity)
  switch (endpoint.operation) {
    case 'create':
    case 'read':
    case 'update':
    case 'patch':
      return `Result<${response}>`
    case 'identify':
      return isLocated(entity, endpoint) ? 'Result<string>' : `Result<${response}>`
    case 'delete':
      return 'Result<void>'
    case 'list':
      return `Pages<${response}>`
    default:
      return assertNever(endpoint.operation)
  }
}

/** The ids in the path: `homeId` for a parent, `id` for the entity. */
function idParameters({ service, entity, endpoint: { operation } }: ClientFunction): string[] {
  const parent = 'parent' in entity ? [`${service.names.camel}Id`] : []
  const hasId = operation !== 'create' && operation !== 'list' && operation !== 'identify'
  return hasId ? [...parent, 'id'] : parent
}

/** The type of an id. In its place, an entity that was read says which version the request is about. */
function idType({ entity, endpoint, types }: ClientFunction): string {
  const isKnown = hasOperation(entity, 'create', 'read', 'update')
  if (entity.version === undefined || !isKnown || !writesOne(endpoint)) return 'string'
  const { response } = types.of(entity)
  return entity.version === 'required' ? response : `string | ${response}`
}

function bodyParameters({ entity, endpoint: { operation }, types }: ClientFunction) {
  if (!entity.attributes.some(({ inRequest }) => inRequest)) return []
  const { request } = types.of(entity)
  if (operation === 'patch') return [{ name: 'changes', type: `Partial<${request}>` }]
  return operation === 'create' || operation === 'update' ? [{ name: 'request', type: request }] : []
}

function documentationOf(scope: ClientFunction): string {
  const conflicts = conflictCauses(errorResponses(scope))
  const conflict = conflicts === undefined ? '' : `\nFails with \`conflict\` if ${conflicts}.`
  const { entity, endpoint } = scope
  const version =
    entity.version === undefined || !writesOne(endpoint)
      ? ''
      : `\nGiven ${withArticle(entity.names.declared)} that was read, fails with \`changed\` if it has changed since.`
  return `${whatItDoes(scope)} Open to ${describeEndpointAccess(scope)}.${conflict}${version}`
}

function whatItDoes(scope: ClientFunction): string {
  const { entity, endpoint } = scope
  if (endpoint.operation !== 'identify') return describeEndpoint(scope)
  const name = entity.names.declared
  return isLocated(entity, endpoint)
    ? `Returns the id of the caller's ${name}.`
    : `Returns the caller's ${name}.`
}
