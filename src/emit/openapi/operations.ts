import { withArticle } from '../../naming.ts'
import { describeEndpoint, operationName, writesOne } from '../../model/endpoints.ts'
import { assertNever, type Endpoint, type EndpointContext, type Entity } from '../../model/platform.ts'
import { conflictCauses, type ErrorResponse, errorResponses } from '../../model/error-responses.ts'
import { SAMPLE_ID } from '../../model/samples.ts'
import { describeEndpointAccess } from '../../model/describe-access.ts'
import type { JsonObject } from '../../json.ts'
import { linksFrom, longListName } from './links.ts'
import { queryParameters } from './query-parameters.ts'
import { headerReference, jsonResponse, errorResponseObjects, samplePath } from './responses.ts'
import { type SchemaNames, schemaReference } from './schema-names.ts'
import { sampleEntity, samplePatch, sampleRequest } from './schemas.ts'

/** One path of an endpoint with its operation. */
export interface DescribedOperation {
  readonly path: string
  readonly method: string
  readonly operation: JsonObject
}

/** The operations for all paths of an endpoint. A struct's list has two, with different operation ids. */
export function openApiOperations(place: EndpointContext, names: SchemaNames): DescribedOperation[] {
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
  /** Whether it is the long form of a list's path, whose id has no effect. */
  readonly isSecond: boolean
}

function operation(place: EndpointContext, names: SchemaNames, form: Form): JsonObject {
  const { platform, entity, endpoint } = place
  const parameters = [
    ...pathParameters(place, form.path),
    ...(endpoint.operation === 'list' ? queryParameters(entity) : []),
    ...versionParameters(place),
    ...keyParameters(place),
  ]
  const responses = errorResponses(place)
  return {
    tags: [entity.names.declared],
    operationId: form.name,
    summary: summaryOf(entity, endpoint),
    description: descriptionOf(place, form, responses),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(place, names),
    responses: {
      [endpoint.success]: success(place, names),
      ...notModified(place),
      ...errorResponseObjects(responses, names, form.path.includes('{')),
    },
    ...(platform.authentication === undefined ? {} : { security: [{ bearer: [] }] }),
    'x-access': describeEndpointAccess(place),
  }
}

/** The headers of requests that name a version. */
function versionParameters({ entity, endpoint }: EndpointContext): JsonObject[] {
  if (entity.version === undefined) return []
  if (endpoint.operation === 'read')
    return [
      headerParameter('If-None-Match', 'Returns 304 if the entity still has this version, or one of a list.'),
    ]
  if (!writesOne(endpoint)) return []
  const isRequired = entity.version === 'required'
  const description = `The \`ETag\` of the version to change, or a list; \`*\` for any. ${isRequired ? 'Without it, the response is 428.' : 'Without it, any version is changed.'}`
  return [headerParameter('If-Match', description, isRequired)]
}

/** The header with which a create can be repeated. */
function keyParameters({ service, endpoint }: EndpointContext): JsonObject[] {
  if (!service.idempotent || endpoint.operation !== 'create') return []
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'A new value for each entity, such as a UUID. A request with the same key and body returns the first response again for 24 hours, and creates nothing else.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    },
  ]
}

function headerParameter(name: string, description: string, required = false): JsonObject {
  return {
    name,
    in: 'header',
    ...(required ? { required } : {}),
    description,
    schema: { type: 'string' },
    example: name === 'If-Match' ? '*' : SAMPLE_TAG,
  }
}

/** The tag of a version. */
const SAMPLE_TAG = '"1"'

function notModified({ entity, endpoint }: EndpointContext): JsonObject {
  if (entity.version === undefined || endpoint.operation !== 'read') return {}
  return {
    304: {
      description: 'The entity has the version that `If-None-Match` names.',
      headers: { ETag: headerReference('Version'), 'Cache-Control': headerReference('CacheControl') },
    },
  }
}

function requestBody({ entity, endpoint: { operation: kind } }: EndpointContext, names: SchemaNames) {
  if (kind === 'patch') {
    const content = { schema: schemaReference(names.of(entity).patch), example: samplePatch(entity) }
    return {
      requestBody: { content: { 'application/json': content, 'application/merge-patch+json': content } },
    }
  }
  if (kind !== 'create' && kind !== 'update') return {}
  const content = { schema: schemaReference(names.of(entity).request), example: sampleRequest(entity) }
  const isOptional = entity.attributes.every(({ required }) => !required)
  return {
    requestBody: { ...(isOptional ? {} : { required: true }), content: { 'application/json': content } },
  }
}

function success(place: EndpointContext, names: SchemaNames): JsonObject {
  const { service, entity, endpoint } = place
  const name = entity.names.declared
  const links = linksFrom(place)
  const withLinks = Object.keys(links).length === 0 ? {} : { links }
  const ofEntity = schemaReference(names.of(entity).response)
  const tag = entity.version === undefined ? {} : { ETag: headerReference('Version') }
  switch (endpoint.operation) {
    case 'create':
      return {
        ...jsonResponse(`The stored ${name}.`, ofEntity, sampleEntity(entity), {
          Location: { ...headerReference('Location') },
          ...tag,
        }),
        ...withLinks,
      }
    case 'read':
      return { ...jsonResponse(`The ${name}.`, ofEntity, sampleEntity(entity), tag), ...withLinks }
    case 'update':
    case 'patch':
      return {
        ...jsonResponse(`The updated ${name}.`, ofEntity, sampleEntity(entity), tag),
        ...withLinks,
      }
    case 'delete':
      return jsonResponse(`The ${name} was deleted.`, schemaReference(names.deleted), {})
    case 'list':
      return jsonResponse(
        'The list.',
        schemaReference(names.of(entity).list),
        { [entity.listKey]: [sampleEntity(entity)] },
        {
          Link: headerReference('NextPage'),
          ...(entity.criteria === undefined ? {} : { 'X-Total-Count': headerReference('TotalCount') }),
        },
      )
    case 'identify':
      return {
        description: `Redirects to the caller's ${name}: \`${samplePath(`${service.path}/{id}`)}\`.`,
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
    case 'patch':
      return `Change attributes of ${one}`
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

function descriptionOf(
  place: EndpointContext,
  { isSecond }: Form,
  responses: readonly ErrorResponse[],
): string {
  const { entity, endpoint } = place
  const conflicts = conflictCauses(responses)
  return [
    endpoint.operation === 'list'
      ? `${describeEndpoint(place)} Use \`limit\` to get one page at a time.${entity.criteria === undefined ? '' : ' Other query parameters are rejected.'}`
      : describeEndpoint(place),
    `Access: ${describeEndpointAccess(place)}.`,
    ...(conflicts === undefined ? [] : [`Returns 409 if ${conflicts}.`]),
    ...(isSecond ? ['The `id` in this form of the path can be any UUID and has no effect.'] : []),
  ].join('\n\n')
}

function pathParameters({ service, entity }: EndpointContext, path: string): JsonObject[] {
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
