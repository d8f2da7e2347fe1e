import { withArticle } from '../../naming.ts'
import type { Attribute, Entity, Platform } from '../../model/platform.ts'
import { SAMPLE_ID, sampleValues } from '../../model/samples.ts'
import { type AttributeUse, attributeSchema, ID_SCHEMA } from './attribute-schema.ts'
import type { JsonObject } from '../../json.ts'
import { type SchemaNames, schemaReference } from './schema-names.ts'
import { entitiesOf, hasOperation, isReference } from '../../model/entities.ts'

/** The pattern of HTML's `type=email`. `format: email` (RFC 5321) would reject some valid values. */
const EMAIL =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"

/** Credentials for examples. */
export const SAMPLE_CREDENTIALS: JsonObject = {
  email: 'user@example.com',
  password: 'correct horse battery staple',
}
/** A token for examples, too short to be mistaken for a real one. */
export const SAMPLE_TOKEN: JsonObject = {
  AccessToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl',
}

/** All schemas of generated endpoints, those of entities first, in the order of the definition. */
export function schemas(platform: Platform, names: SchemaNames): JsonObject {
  const entities = platform.services.flatMap(entitiesOf)
  return {
    ...Object.fromEntries(entities.flatMap((entity) => Object.entries(entitySchemas(entity, names)))),
    ...(platform.authentication === undefined ? {} : authenticationSchemas(names)),
    ...errorSchemas(names),
    ...(entities.some((entity) => hasOperation(entity, 'delete'))
      ? {
          [names.deleted]: {
            type: 'object',
            description: 'The empty response of a deletion.',
            additionalProperties: false,
          },
        }
      : {}),
  }
}

/** A sample entity in a response. */
export function sampleEntity(entity: Entity): JsonObject {
  return { id: SAMPLE_ID, ...sampleOf(entity.attributes.filter(({ inResponse }) => inResponse)) }
}

/** A sample body of a patch: the first attribute that is no reference, because that of another entity may not exist. */
export function samplePatch(entity: Entity): JsonObject {
  const requested = entity.attributes.filter(({ inRequest, type }) => inRequest && !isReference(type))
  return sampleOf(requested.slice(0, 1))
}

/** A sample body of a create or an update. Optional references are `null`, so that it can be sent as it is. */
export function sampleRequest(entity: Entity): JsonObject {
  const requested = entity.attributes.filter(({ inRequest }) => inRequest)
  const omitted = requested.filter(({ type, optional }) => optional && isReference(type))
  return {
    ...sampleOf(requested),
    ...Object.fromEntries(omitted.map(({ names }) => [names.declared, null])),
  }
}

/** The schemas of an entity, of which the document has those that are used. */
function entitySchemas(entity: Entity, schemaNames: SchemaNames): JsonObject {
  const names = schemaNames.of(entity)
  const { declared } = entity.names
  const returned = entity.attributes.filter((attribute) => attribute.inResponse)
  const requested = entity.attributes.filter((attribute) => attribute.inRequest)
  return {
    [names.response]: {
      type: 'object',
      description: entity.documentation || `${declared} in responses.`,
      required: ['id', ...returned.map((attribute) => attribute.names.declared)],
      properties: {
        id: { ...ID_SCHEMA, description: 'Assigned by the service.', readOnly: true },
        ...propertiesOf(returned, 'response'),
      },
      additionalProperties: false,
    },
    ...(hasOperation(entity, 'create', 'update')
      ? {
          [names.request]: {
            type: 'object',
            description: `The body of a request to create or update ${withArticle(declared)}. Unknown keys are ignored. A value of null counts as missing${exceptStored(requested)}.`,
            ...objectSchema(requested, 'request'),
          },
        }
      : {}),
    ...(hasOperation(entity, 'patch')
      ? {
          [names.patch]: {
            type: 'object',
            description: `The body of a request to change some attributes of ${withArticle(declared)}: a JSON merge patch (RFC 7396). Attributes that it lacks keep their values. Unknown keys are ignored.`,
            ...(requested.length === 0 ? {} : { properties: propertiesOf(requested, 'patch') }),
          },
        }
      : {}),
    ...(hasOperation(entity, 'list')
      ? {
          [names.list]: {
            type: 'object',
            description:
              entity.criteria === undefined
                ? `All ${declared} entities that the caller may read, or one page of them, in the order of ids.`
                : `The ${declared} entities that the caller may read and that match all filters, or one page of them.`,
            required: [entity.listKey],
            properties: {
              [entity.listKey]: { type: 'array', items: schemaReference(names.response) },
            },
            additionalProperties: false,
          },
        }
      : {}),
  }
}

/** Names the attributes for which `null` is a value, although they have a default. */
function exceptStored(requested: readonly Attribute[]): string {
  const stored = requested.filter((attribute) => attribute.optional && attribute.default !== undefined)
  const names = stored.map((attribute) => `\`${attribute.names.declared}\``)
  return names.length === 0 ? '' : `, but is stored in ${names.join(', ')}`
}

/** The properties of an object, and which of them it must have. */
export function objectSchema(attributes: readonly Attribute[], use: 'request' | 'response'): JsonObject {
  if (attributes.length === 0) return {}
  const required = attributes.filter((attribute) => use === 'response' || attribute.required)
  return {
    ...(required.length === 0 ? {} : { required: required.map(({ names }) => names.declared) }),
    properties: propertiesOf(attributes, use),
  }
}

function propertiesOf(attributes: readonly Attribute[], use: AttributeUse): JsonObject {
  return Object.fromEntries(
    attributes.map((attribute) => [attribute.names.declared, attributeSchema(attribute, use)]),
  )
}

/** Sample values of attributes as an object. */
export function sampleOf(attributes: readonly Attribute[]): JsonObject {
  return Object.fromEntries(sampleValues(attributes).map(([{ names }, value]) => [names.declared, value]))
}

function authenticationSchemas(names: SchemaNames): JsonObject {
  return {
    [names.credentials]: {
      type: 'object',
      description: 'The credentials of a user.',
      required: ['email', 'password'],
      properties: {
        email: {
          type: 'string',
          maxLength: 254,
          pattern: EMAIL,
          description: 'An email address as defined by HTML. Not case-sensitive.',
        },
        password: {
          type: 'string',
          format: 'password',
          minLength: 8,
          maxLength: 72,
          pattern: '^[^\\u0000]*$',
          description: 'At least 8 characters and at most 72 bytes in UTF-8.',
          writeOnly: true,
        },
      },
    },
    [names.accessToken]: {
      type: 'object',
      description:
        'A token to send with all other requests in the header `Authorization: Bearer <AccessToken>`.',
      required: ['AccessToken'],
      properties: {
        AccessToken: {
          type: 'string',
          pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
          description: 'A JWT (RFC 7519), valid for 24 hours by default.',
          readOnly: true,
        },
      },
      additionalProperties: false,
    },
  }
}

function errorSchemas(names: SchemaNames): JsonObject {
  return {
    [names.error]: {
      type: 'object',
      description: 'An error response of a service.',
      required: ['error'],
      properties: { error: { type: 'string', description: 'A human-readable message.' } },
      additionalProperties: false,
    },
    [names.gatewayError]: {
      type: 'object',
      description: 'An error response of the gateway.',
      required: ['message'],
      properties: { message: { type: 'string', description: 'The reason phrase of the status.' } },
      additionalProperties: false,
    },
  }
}
