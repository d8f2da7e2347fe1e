import type { Refusal, RefusalStatus } from '../../model/refusals.ts'
import { SAMPLE_ID } from '../../model/samples.ts'
import type { Json, JsonObject } from './json.ts'
import { type SchemaNames, schemaReference } from './schema-names.ts'

/** Headers that several answers share. */
export function headers(authenticated: boolean): JsonObject {
  return {
    CacheControl: header('No cache keeps the answer.', { const: 'no-store' }, true),
    Location: header('Where the entity is, as a path of the gateway.', { type: 'string' }, true),
    NextPage: header(
      'Where the next page is, as long as there is one: `</api/...>; rel="next"` (RFC 8288).',
      { type: 'string' },
      false,
    ),
    Allow: header('The methods of the path (RFC 9110, section 10.2.1).', { type: 'string' }, true),
    ...(authenticated
      ? {
          WWWAuthenticate: header(
            'How to authenticate (RFC 6750, section 3).',
            { type: 'string', const: 'Bearer' },
            true,
          ),
          RetryAfter: header(
            'Seconds to wait where too many passwords are being hashed.',
            { type: 'integer', minimum: 1 },
            false,
          ),
        }
      : {}),
  }
}

function header(description: string, schema: JsonObject, required: boolean): JsonObject {
  return { description, ...(required ? { required } : {}), schema }
}

/** A reference to a shared header. */
export function headerReference(name: string): JsonObject {
  return { $ref: `#/components/headers/${name}` }
}

/** An answer with a JSON body that a service gives. */
export function jsonResponse(
  description: string,
  schema: JsonObject,
  example: Json,
  moreHeaders: JsonObject = {},
): JsonObject {
  return {
    description,
    headers: { ...moreHeaders, 'Cache-Control': headerReference('CacheControl') },
    content: { 'application/json': { schema, example } },
  }
}

/** Refusals that read the same for every endpoint, by the name of their shared answer. */
const SHARED: ReadonlyMap<RefusalStatus, string> = new Map([
  [401, 'Unauthorized'],
  [413, 'TooLarge'],
  [500, 'InternalError'],
  [503, 'Unavailable'],
])

/** The answers that operations share. `authenticated` tells whether tokens are looked at. */
export function sharedResponses(names: SchemaNames, authenticated: boolean): JsonObject {
  const either = eitherError(names)
  return {
    ...(authenticated
      ? {
          Unauthorized: {
            description: 'There is no valid token.',
            headers: { 'WWW-Authenticate': headerReference('WWWAuthenticate') },
            content: {
              'application/json': {
                schema: either,
                examples: {
                  gateway: { summary: 'The gateway refuses it', value: { message: 'Unauthorized' } },
                  service: { summary: 'The service refuses it', value: { error: 'Unauthorized' } },
                },
              },
            },
          },
        }
      : {}),
    MethodNotAllowed: jsonResponse(
      'To any other method of this path.',
      schemaReference(names.error),
      { error: 'Method not allowed' },
      { Allow: headerReference('Allow') },
    ),
    TooLarge: jsonResponse('The body is too large.', schemaReference(names.error), {
      error: 'Request body too large',
    }),
    InternalError: jsonResponse(
      'Something went wrong inside; the log of the service has the details.',
      schemaReference(names.error),
      { error: 'Internal server error' },
    ),
    Unavailable: {
      description: 'The service, its database or a service that it asks does not answer. Try again later.',
      ...(authenticated ? { headers: { 'Retry-After': headerReference('RetryAfter') } } : {}),
      content: {
        'application/json': {
          schema: either,
          examples: {
            gateway: { summary: 'The service does not run', value: { message: 'Service Unavailable' } },
            service: { summary: 'Its database does not answer', value: { error: 'Home is unavailable' } },
          },
        },
      },
    },
    Hook: {
      description: 'What a hook of the service answers instead, with the status that it chose.',
      content: {
        'application/json': { schema: schemaReference(names.error), example: { error: 'Not on a Sunday' } },
      },
    },
  }
}

/** What refuses requests to an operation, its answers by status. */
export function refusalResponses(
  refusals: readonly Refusal[],
  names: SchemaNames,
  hasPathParameters: boolean,
): JsonObject {
  const byStatus = Map.groupBy(refusals, ({ status }) => status)
  const described = [...byStatus].map(([status, group]): [string, JsonObject] => {
    const shared = SHARED.get(status)
    // Of what signing in refuses, the message is its own.
    if (shared !== undefined && !group.some(isOwn)) return [String(status), responseReference(shared)]
    // The gateway refuses paths that mean different things to different servers, and such as lead elsewhere.
    const either = hasPathParameters && (status === 400 || status === 404)
    const schema = either ? eitherError(names) : schemaReference(names.error)
    const own = {
      ...(status === 401 ? { 'WWW-Authenticate': headerReference('WWWAuthenticate') } : {}),
      ...(either ? {} : { 'Cache-Control': headerReference('CacheControl') }),
    }
    return [
      String(status),
      {
        description: describe(group),
        ...(Object.keys(own).length === 0 ? {} : { headers: own }),
        content: { 'application/json': { schema, ...exampleOf(group) } },
      },
    ]
  })
  return Object.fromEntries([
    ...described,
    ['405', responseReference('MethodNotAllowed')],
    ['default', responseReference('Hook')],
  ])
}

function isOwn({ message, status }: Refusal): boolean {
  return status === 401 && message !== 'Unauthorized'
}

/** `the body is no JSON object; an attribute is refused` as a sentence. */
function describe(group: readonly Refusal[]): string {
  const text = [...new Set(group.map(({ when }) => when))].join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** One example is enough where the description names every reason: the last, which is the most particular. */
function exampleOf(group: readonly Refusal[]): JsonObject {
  const last = group.at(-1)
  if (last === undefined) return {}
  return { example: last.by === 'gateway' ? { message: last.message } : { error: last.message } }
}

function eitherError(names: SchemaNames): JsonObject {
  return { anyOf: [schemaReference(names.error), schemaReference(names.gatewayError)] }
}

function responseReference(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` }
}

/** Where an entity is, for examples: `/api/home/{id}` with a sample id. */
export function samplePath(path: string): string {
  return path.replace(/\{[^}]+\}/g, SAMPLE_ID)
}
