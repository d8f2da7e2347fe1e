import { withArticle } from '../../../model/names.ts'
import { operationName } from '../../../model/operation-names.ts'
import {
  assertNever,
  type Endpoint,
  type Entity,
  type Platform,
  type Service,
} from '../../../model/platform.ts'
import { refusalsOf } from '../../../model/refusals.ts'
import { accessOf } from '../../docs/access.ts'
import { type Code, call, code, LINE_WIDTH, list, object, print } from '../../kit/layout.ts'
import { docComment } from '../../typescript/documentation.ts'
import type { ClientTypeNames } from './type-names.ts'

/** An endpoint in a client. */
export interface ClientFunction {
  readonly platform: Platform
  readonly service: Service
  readonly entity: Entity
  readonly endpoint: Endpoint
  readonly types: ClientTypeNames
}

/** The endpoint as a method of an interface, with its documentation. */
export function signature(scope: ClientFunction): Code {
  const { entity, endpoint } = scope
  const options = endpoint.operation === 'list' ? 'ListOptions' : 'CallOptions'
  const parameters = [
    ...idParameters(scope).map((name) => `${name}: string`),
    ...bodyParameters(scope).map(({ name, type }) => `${name}: ${type}`),
    `options?: ${options}`,
  ]
  const answer = endpoint.operation === 'list' ? resultType(scope) : `Promise<${resultType(scope)}>`
  return code`${docComment(documentationOf(scope), 2)}  ${list(`${operationName(entity, endpoint)}(`, parameters, `): ${answer}`)}`
}

/** The endpoint as a property of the object that answers with it. */
export function implementation(scope: ClientFunction): Code {
  const { entity, endpoint } = scope
  const ids = idParameters(scope)
  const body = bodyParameters(scope).map(({ name }) => name)
  const parameters = [...ids, ...body, 'options']
  const head = `    ${operationName(entity, endpoint)}: (${parameters.join(', ')}) =>`
  const value = action(scope, ids, body)
  const line = `${head} ${print(value)}`
  // The body of an arrow function that does not fit goes to a line of its own.
  return line.includes('\n') || line.length >= LINE_WIDTH ? code`${head}\n      ${value}` : line
}

function action(
  { entity, endpoint, types }: ClientFunction,
  ids: readonly string[],
  body: readonly string[],
): Code {
  const [path] = endpoint.paths.toSorted((a, b) => a.length - b.length)
  const target: Code = ids.length === 0 ? `'${path}'` : call('pathOf', `'${path}'`, ...ids)
  if (endpoint.operation === 'list')
    return call('listOf', 'connection', target, `'${entity.listKey}'`, 'options')
  const request = {
    ...object([
      `method: '${endpoint.method}'`,
      code`path: ${target}`,
      ...body.map((name) => `body: ${name}`),
      'options',
    ]),
    expanded: false,
  }
  if (isLocated(entity, endpoint)) return call('connection.locate', request)
  const value = endpoint.operation === 'delete' ? 'void' : types.of(entity).answer
  return call(`connection.send<${value}>`, request)
}

/** An identification whose entity cannot be read: what is known of it is its id. */
function isLocated({ endpoints }: Entity, { operation }: Endpoint): boolean {
  return operation === 'identify' && !endpoints.some((endpoint) => endpoint.operation === 'read')
}

function resultType({ entity, endpoint, types }: ClientFunction): string {
  const { answer } = types.of(entity)
  switch (endpoint.operation) {
    case 'create':
    case 'read':
    case 'update':
      return `Result<${answer}>`
    case 'identify':
      return isLocated(entity, endpoint) ? 'Result<string>' : `Result<${answer}>`
    case 'delete':
      return 'Result<void>'
    case 'list':
      return `Pages<${answer}>`
    default:
      return assertNever(endpoint.operation)
  }
}

/** The ids of the path: `homeId` of a parent, `id` of what is asked for. */
function idParameters({ service, entity, endpoint: { operation } }: ClientFunction): string[] {
  const parent = 'parent' in entity ? [`${service.names.camel}Id`] : []
  const hasId = operation === 'read' || operation === 'update' || operation === 'delete'
  return hasId ? [...parent, 'id'] : parent
}

function bodyParameters({ entity, endpoint: { operation }, types }: ClientFunction) {
  const sends = operation === 'create' || operation === 'update'
  const hasAttributes = entity.attributes.some(({ requested }) => requested)
  return sends && hasAttributes ? [{ name: 'request', type: types.of(entity).request }] : []
}

function documentationOf(scope: ClientFunction): string {
  const { platform, service, entity, endpoint } = scope
  const who = accessOf(
    endpoint.operation,
    entity === service.entity,
    service,
    platform.authentication !== undefined,
  )
  const conflicts = refusalsOf(scope)
    .filter(({ status }) => status === 409)
    .map(({ when }) => when)
  const conflict = conflicts.length === 0 ? '' : `\nA \`conflict\` where ${conflicts.join(', or ')}.`
  return `${whatItDoes(scope)} Open to ${who}.${conflict}`
}

function whatItDoes({ service, entity, endpoint }: ClientFunction): string {
  const name = entity.names.declared
  const one = withArticle(name)
  const parent = 'parent' in entity ? ` of ${withArticle(service.names.declared)}` : ''
  switch (endpoint.operation) {
    case 'create':
      return `Stores a new ${name}${parent}.`
    case 'read':
      return `Reads ${one}${parent}.`
    case 'update':
      return `Replaces what clients supply of ${one}${parent}.`
    case 'delete':
      return `Deletes ${one}${parent}.`
    case 'list':
      return `Lists every ${name}${parent} that the caller may read, in the order of creation.`
    case 'identify':
      return isLocated(entity, endpoint)
        ? `Finds the id of the caller's ${name}.`
        : `Reads the caller's own ${name}.`
    default:
      return assertNever(endpoint.operation)
  }
}
