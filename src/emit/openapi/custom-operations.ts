import { customErrorResponses } from '../../model/error-responses.ts'
import { customOperationName, customTitle, hasBody } from '../../model/custom-endpoints.ts'
import { describeCustomEndpointAccess } from '../../model/describe-access.ts'
import type { Attribute, CustomEndpoint, CustomEndpointContext } from '../../model/platform.ts'
import { SAMPLE_ID, sampleValues } from '../../model/samples.ts'
import type { JsonObject } from '../../json.ts'
import { MAX_PAGE } from '../../limits.ts'
import { attributeSchema } from './attribute-schema.ts'
import type { DescribedOperation } from './operations.ts'
import { errorResponseObjects, headerReference, jsonResponse } from './responses.ts'
import { type SchemaNames, schemaReference } from './schema-names.ts'
import { objectSchema, sampleEntity, sampleOf } from './schemas.ts'

/** The operation of an `endpoint` block. */
export function customOperation(place: CustomEndpointContext, names: SchemaNames): DescribedOperation {
  const { platform, service, endpoint } = place
  const { documentation, method, path, isPublic } = endpoint
  const access = `Access: ${describeCustomEndpointAccess(place)}.`
  const parameters = parametersOf(place)
  return {
    path,
    method: method.toLowerCase(),
    operation: {
      tags: [service.names.declared],
      operationId: customOperationName(endpoint, service),
      summary: firstSentence(documentation) ?? customTitle(endpoint),
      description: documentation === '' ? access : `${documentation}\n\n${access}`,
      ...(parameters.length === 0 ? {} : { parameters }),
      ...requestBody(endpoint, names),
      responses: {
        [endpoint.status]: success(endpoint, names),
        ...errorResponseObjects(customErrorResponses(place), names, path.includes('{')),
      },
      ...(platform.authentication === undefined ? {} : { security: isPublic ? [] : [{ bearer: [] }] }),
      'x-access': describeCustomEndpointAccess(place),
    },
  }
}

/** The schemas of the requests and responses of an endpoint. */
export function customSchemas(endpoint: CustomEndpoint, names: SchemaNames): JsonObject {
  const { request, response } = names.ofCustom(endpoint)
  const { response: returned, requestAttributes } = endpoint
  const { declared } = endpoint.names
  return {
    ...(sendsBody(endpoint)
      ? {
          [request]: {
            type: 'object',
            description: `The body of a request to ${declared}. Unknown keys are ignored. A value of null counts as missing.`,
            ...objectSchema(requestAttributes.map(asPlain), 'request'),
          },
        }
      : {}),
    ...(returned.kind === 'entity'
      ? {}
      : {
          [response]: {
            type: 'object',
            description: `The response of ${declared}.`,
            ...(returned.kind === 'object'
              ? objectSchema(returned.attributes.map(asPlain), 'response')
              : {
                  required: [returned.entity.listKey],
                  properties: {
                    [returned.entity.listKey]: {
                      type: 'array',
                      items: schemaReference(names.of(returned.entity).response),
                    },
                  },
                }),
            additionalProperties: false,
          },
        }),
  }
}

/** An attribute without the notes about entities: it is neither stored nor set by the service. */
const asPlain = (attribute: Attribute): Attribute => ({ ...attribute, visibility: 'public' })

const sendsBody = (endpoint: CustomEndpoint): boolean =>
  hasBody(endpoint) && endpoint.requestAttributes.length > 0

const firstSentence = (text: string): string | undefined =>
  /^[^]+?(?=[.!?](?:\s|$)|\n\n|$)/.exec(text)?.[0].replace(/\s+/g, ' ')

function parametersOf({ service, endpoint }: CustomEndpointContext): JsonObject[] {
  const { path, pathAttributes, requestAttributes, response } = endpoint
  const samples = new Map(sampleValues([...pathAttributes, ...requestAttributes]))
  const ofAttribute = (attribute: Attribute, location: 'path' | 'query'): JsonObject => {
    const { description, ...schema } = attributeSchema(asPlain(attribute), 'parameter')
    const isRequired = location === 'path' || attribute.required
    return {
      name: attribute.names.declared,
      in: location,
      ...(isRequired ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(isRequired ? { example: samples.get(attribute) ?? null } : {}),
    }
  }
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].flatMap(([, name]) => {
    const attribute = pathAttributes.find(({ names }) => names.declared === name)
    return attribute === undefined ? [idParameter(service.names.declared)] : [ofAttribute(attribute, 'path')]
  })
  return [
    ...inPath,
    ...(response.kind === 'list' ? pageParameters() : []),
    ...(hasBody(endpoint) ? [] : requestAttributes.map((attribute) => ofAttribute(attribute, 'query'))),
  ]
}

function idParameter(declared: string): JsonObject {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of the ${declared}.`,
    schema: { type: 'string', format: 'uuid' },
    example: SAMPLE_ID,
  }
}

function pageParameters(): JsonObject[] {
  return [
    {
      name: 'limit',
      in: 'query',
      description: 'The maximum number of entities to return.',
      schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE },
    },
    {
      name: 'after',
      in: 'query',
      description:
        'Returns only what follows the previous page. Use the link to the next page, which contains this value.',
      schema: { type: 'string' },
    },
  ]
}

function requestBody(endpoint: CustomEndpoint, names: SchemaNames): JsonObject {
  if (!sendsBody(endpoint)) return {}
  const { requestAttributes } = endpoint
  const schema = schemaReference(names.ofCustom(endpoint).request)
  const content = { 'application/json': { schema, example: sampleOf(requestAttributes) } }
  const isRequired = requestAttributes.some(({ required }) => required)
  return { requestBody: { ...(isRequired ? { required: true } : {}), content } }
}

function success(endpoint: CustomEndpoint, names: SchemaNames): JsonObject {
  const { response } = endpoint
  const own = schemaReference(names.ofCustom(endpoint).response)
  if (response.kind === 'object') return jsonResponse('The response.', own, sampleOf(response.attributes))
  const { entity } = response
  const { declared } = entity.names
  if (response.kind === 'entity')
    return jsonResponse(`The ${declared}.`, schemaReference(names.of(entity).response), sampleEntity(entity))
  return jsonResponse(
    `One page of ${declared} entities.`,
    own,
    { [entity.listKey]: [sampleEntity(entity)] },
    { Link: headerReference('NextPage') },
  )
}
