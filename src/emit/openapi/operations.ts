import { withArticle } from '../../model/names.ts'
import { operationName } from '../../model/operation-names.ts'
import { assertNever, type Endpoint, type Entity } from '../../model/platform.ts'
import { type EndpointPlace, type Refusal, refusalsOf } from '../../model/refusals.ts'
import { SAMPLE_ID } from '../../model/samples.ts'
import { accessOf } from '../docs/access.ts'
import type { JsonObject } from './json.ts'
import { linksFrom, longListName } from './links.ts'
import { headerReference, jsonResponse, refusalResponses, samplePath } from './responses.ts'
import { type SchemaNames, schemaReference } from './schema-names.ts'
import { sampleEntity, sampleRequest } from './schemas.ts'

/** One path of an endpoint and what stands under its method. */
export interface DescribedOperation {
  readonly path: string
  readonly method: string
  readonly operation: JsonObject
}

/** Every path of an endpoint. A struct's list has two, and the longer one a function name of its own. */
export function operationsOf(place: EndpointPlace, names: SchemaNames): DescribedOperation[] {
  const { entity, endpoint } = place
  const sorted = endpoint.paths.toSorted((a, b) => a.length - b.length)
  return sorted.map((path, index) => ({
    path,
    method: endpoint.method.toLowerCase(),
    operation: operation(place, names, {
      path,
      name: index === 0 ? operationName(entity, endpoint) : longListName(entity, endpoint),
      isSecond: index > 0,
    }),
  }))
}

interface Form {
  readonly path: string
  readonly name: string
  /** The form of a list's path whose id changes nothing. */
  readonly isSecond: boolean
}

function operation(place: EndpointPlace, names: SchemaNames, form: Form): JsonObject {
  const { platform, service, entity, endpoint } = place
  const sends = endpoint.operation === 'create' || endpoint.operation === 'update'
  const parameters = [...pathParameters(place, form.path), ...queryParameters(endpoint)]
  const refusals = refusalsOf(place)
  const isOptional = entity.attributes.every(({ requested }) => !requested)
  return {
    tags: [entity.names.declared],
    operationId: form.name,
    summary: summaryOf(entity, endpoint),
    description: descriptionOf(place, form, refusals),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(sends
      ? {
          requestBody: {
            ...(isOptional ? {} : { required: true }),
            content: {
              'application/json': {
                schema: schemaReference(names.of(entity).request),
                example: sampleRequest(entity),
              },
            },
          },
        }
      : {}),
    responses: {
      [endpoint.success]: success(place, names),
      ...refusalResponses(refusals, names, form.path.includes('{')),
    },
    ...(platform.authentication === undefined ? {} : { security: [{ bearer: [] }] }),
    'x-access': accessOf(endpoint.operation, entity === service.entity, service, isAuthenticated(place)),
  }
}

function isAuthenticated({ platform }: EndpointPlace): boolean {
  return platform.authentication !== undefined
}

function success(place: EndpointPlace, names: SchemaNames): JsonObject {
  const { service, entity, endpoint } = place
  const name = entity.names.declared
  const links = linksFrom(place)
  const withLinks = Object.keys(links).length === 0 ? {} : { links }
  const ofEntity = schemaReference(names.of(entity).answer)
  switch (endpoint.operation) {
    case 'create':
      return {
        ...jsonResponse(`The ${name} as it is stored.`, ofEntity, sampleEntity(entity), {
          Location: { ...headerReference('Location') },
        }),
        ...withLinks,
      }
    case 'read':
      return { ...jsonResponse(`The ${name}.`, ofEntity, sampleEntity(entity)), ...withLinks }
    case 'update':
      return {
        ...jsonResponse(`The ${name} as it is stored now.`, ofEntity, sampleEntity(entity)),
        ...withLinks,
      }
    case 'delete':
      return jsonResponse(`The ${name} is gone.`, schemaReference(names.deleted), {})
    case 'list':
      return jsonResponse(
        'The list.',
        schemaReference(names.of(entity).list),
        { [entity.listKey]: [sampleEntity(entity)] },
        { Link: headerReference('NextPage') },
      )
    case 'identify':
      return {
        description: `Where the caller's ${name} is: \`${samplePath(`${service.path}/{id}`)}\`.`,
        headers: {
          Location: headerReference('Location'),
          'Cache-Control': headerReference('CacheControl'),
        },
      }
    default:
      return assertNever(endpoint.operation)
  }
}

function summaryOf({ names: { declared } }: Entity, { operation: kind }: Endpoint): string {
  const one = withArticle(declared)
  switch (kind) {
    case 'create':
      return `Create ${one}`
    case 'read':
      return `Read ${one}`
    case 'update':
      return `Update ${one}`
    case 'delete':
      return `Delete ${one}`
    case 'list':
      return `List ${declared}`
    case 'identify':
      return `Find the caller's ${declared}`
    default:
      return assertNever(kind)
  }
}

function descriptionOf(place: EndpointPlace, { isSecond }: Form, refusals: readonly Refusal[]): string {
  const { service, entity, endpoint } = place
  const who = accessOf(endpoint.operation, entity === service.entity, service, isAuthenticated(place))
  return [
    whatItDoes(place),
    `Open to ${who}.`,
    ...conflictsIn(refusals),
    ...(isSecond ? ['The `id` of this form of the path is any UUID and changes nothing.'] : []),
  ].join('\n\n')
}

function whatItDoes({ service, entity, endpoint }: EndpointPlace): string {
  const name = entity.names.declared
  const parent = 'parent' in entity ? ` of ${withArticle(service.names.declared)}` : ''
  switch (endpoint.operation) {
    case 'create':
      return `Stores a new ${name}${parent} and answers with it.`
    case 'read':
      return `Answers with one ${name}${parent}.`
    case 'update':
      return `Replaces every attribute of ${withArticle(name)}${parent} that clients supply, and answers with all of it.`
    case 'delete':
      return entity === service.entity && service.structs.length > 0
        ? `Deletes ${withArticle(name)} and its entries of ${service.structs.map(({ names }) => names.declared).join(', ')}. References to it stay as they are.`
        : `Deletes ${withArticle(name)}${parent}.`
    case 'list':
      return `Answers with every ${name}${parent} that the caller may read, in the order of creation; with \`limit\`, page by page.`
    case 'identify':
      return `Leads to the ${name} that the caller's token created.`
    default:
      return assertNever(endpoint.operation)
  }
}

/** What the endpoint refuses though each value is right by itself. */
function conflictsIn(refusals: readonly Refusal[]): string[] {
  const reasons = refusals.filter(({ status }) => status === 409).map(({ when }) => when)
  return reasons.length === 0 ? [] : [`Conflicts (409) where ${reasons.join(', or ')}.`]
}

function pathParameters({ service, entity }: EndpointPlace, path: string): JsonObject[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description:
      name === 'parent-id'
        ? `The id of the ${service.names.declared}.`
        : path.endsWith('/{id}/all')
          ? 'Any UUID.'
          : `The id of the ${entity.names.declared}.`,
    schema: { type: 'string', format: 'uuid' },
    example: SAMPLE_ID,
  }))
}

function queryParameters({ operation: kind }: Endpoint): JsonObject[] {
  if (kind !== 'list') return []
  return [
    {
      name: 'limit',
      in: 'query',
      description: 'The most entities that an answer holds. Without it, all of them.',
      schema: { type: 'integer', minimum: 1, maximum: 1000 },
      example: 100,
    },
    {
      name: 'after',
      in: 'query',
      description: 'Only entities with a greater id: the last one of the page before.',
      schema: { type: 'string', format: 'uuid' },
    },
  ]
}
