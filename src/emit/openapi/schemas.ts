import { withArticle } from '../../model/names.ts'
import type { Attribute, Entity, Platform } from '../../model/platform.ts'
import { SAMPLE_ID, sampleValues } from '../../model/samples.ts'
import { attributeSchema, ID_SCHEMA } from './attribute-schema.ts'
import type { JsonObject } from './json.ts'
import { type SchemaNames, schemaReference } from './schema-names.ts'

/** The pattern of HTML's `type=email`. `format: email` (RFC 5321) would refuse some of what the service takes. */
const EMAIL =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"

/** Credentials for examples. */
export const SAMPLE_CREDENTIALS: JsonObject = {
  email: 'somebody@example.com',
  password: 'correct horse battery staple',
}
/** A token for examples, cut short so that nobody takes it for one. */
export const SAMPLE_TOKEN: JsonObject = {
  AccessToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl',
}

/** All schemas of a document, those of entities first, in the order of the definition. */
export function schemas(platform: Platform, names: SchemaNames): JsonObject {
  const entities = platform.services.flatMap(({ entity, structs }): Entity[] => [entity, ...structs])
  return {
    ...Object.fromEntries(entities.flatMap((entity) => Object.entries(entitySchemas(entity, names)))),
    ...(platform.authentication === undefined ? {} : authenticationSchemas(names)),
    ...errorSchemas(names),
    ...(entities.some((entity) => hasOperation(entity, ['delete']))
      ? {
          [names.deleted]: {
            type: 'object',
            description: 'What a deletion answers: nothing.',
            additionalProperties: false,
          },
        }
      : {}),
  }
}

/** An entity as it is answered, for examples. */
export function sampleEntity(entity: Entity): JsonObject {
  return { id: SAMPLE_ID, ...sampleOf(entity.attributes.filter(({ answered }) => answered)) }
}

/** What clients send of an entity, for examples. */
export function sampleRequest(entity: Entity): JsonObject {
  return sampleOf(entity.attributes.filter(({ requested }) => requested))
}

/** Whether an entity has one of the operations as an endpoint. */
function hasOperation(entity: Entity, operations: readonly string[]): boolean {
  return entity.endpoints.some(({ operation }) => operations.includes(operation))
}

function entitySchemas(entity: Entity, schemaNames: SchemaNames): JsonObject {
  const names = schemaNames.of(entity)
  const { declared } = entity.names
  const answered = entity.attributes.filter((attribute) => attribute.answered)
  const requested = entity.attributes.filter((attribute) => attribute.requested)
  const answers = hasOperation(entity, ['create', 'read', 'update', 'list'])
  return {
    ...(answers
      ? {
          [names.answer]: {
            type: 'object',
            description: entity.documentation || `${declared}, as it is answered.`,
            required: ['id', ...answered.map((attribute) => attribute.names.declared)],
            properties: {
              id: { ...ID_SCHEMA, description: 'Given by the service.', readOnly: true },
              ...propertiesOf(answered),
            },
            additionalProperties: false,
          },
        }
      : {}),
    ...(hasOperation(entity, ['create', 'update'])
      ? {
          [names.request]: {
            type: 'object',
            description: `What is sent to create or update ${withArticle(declared)}. Other keys are ignored; null counts as missing.`,
            ...(requested.length === 0
              ? {}
              : {
                  required: requested.map((attribute) => attribute.names.declared),
                  properties: propertiesOf(requested),
                }),
          },
        }
      : {}),
    ...(hasOperation(entity, ['list'])
      ? {
          [names.list]: {
            type: 'object',
            description: `Every ${declared} that the caller may read, or a page of them, in the order of ids.`,
            required: [entity.listKey],
            properties: {
              [entity.listKey]: { type: 'array', items: schemaReference(names.answer) },
            },
            additionalProperties: false,
          },
        }
      : {}),
  }
}

function propertiesOf(attributes: readonly Attribute[]): JsonObject {
  return Object.fromEntries(
    attributes.map((attribute) => [attribute.names.declared, attributeSchema(attribute)]),
  )
}

function sampleOf(attributes: readonly Attribute[]): JsonObject {
  return Object.fromEntries(sampleValues(attributes).map(([{ names }, value]) => [names.declared, value]))
}

function authenticationSchemas(names: SchemaNames): JsonObject {
  return {
    [names.credentials]: {
      type: 'object',
      description: 'Who registers or signs in.',
      required: ['email', 'password'],
      properties: {
        email: {
          type: 'string',
          maxLength: 254,
          pattern: EMAIL,
          description: 'An email address as HTML has it. It is found whatever its case.',
        },
        password: {
          type: 'string',
          format: 'password',
          minLength: 8,
          maxLength: 72,
          pattern: '^[^\\u0000]*$',
          description: 'At least 8 characters, and at most 72 bytes in UTF-8.',
          writeOnly: true,
        },
      },
    },
    [names.accessToken]: {
      type: 'object',
      description: 'A token to send with every other request, as `Authorization: Bearer <AccessToken>`.',
      required: ['AccessToken'],
      properties: {
        AccessToken: {
          type: 'string',
          pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
          description: 'A JWT (RFC 7519), valid for 24 hours.',
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
      description: 'Why a service refused a request.',
      required: ['error'],
      properties: { error: { type: 'string', description: 'A sentence for people.' } },
      additionalProperties: false,
    },
    [names.gatewayError]: {
      type: 'object',
      description: 'Why the gateway refused a request.',
      required: ['message'],
      properties: { message: { type: 'string', description: 'The text of the status.' } },
      additionalProperties: false,
    },
  }
}
