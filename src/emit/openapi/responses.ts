import type { ErrorResponse, ErrorStatus } from '../../model/error-responses.ts'
import { SAMPLE_ID } from '../../model/samples.ts'
import type { Json, JsonObject } from '../../json.ts'
import { type SchemaNames, schemaReference } from './schema-names.ts'
import { GATEWAY_TEXTS, SERVICE_TEXTS, unavailableText } from '../../model/error-texts.ts'

/** Headers that several responses share. */
export function headers(
  authenticated: boolean,
  { hasCriteria, hasVersions }: { readonly hasCriteria: boolean; readonly hasVersions: boolean },
): JsonObject {
  return {
    CacheControl: header('The response must not be cached.', { const: 'no-store' }, true),
    Location: header('The path of the entity on the gateway.', { type: 'string' }, true),
    NextPage: header(
      'The link to the next page, if there is one: `</api/...>; rel="next"` (RFC 8288).',
      { type: 'string' },
      false,
    ),
    ...(hasCriteria
      ? {
          TotalCount: header(
            'The number of entities on all pages, if `total=true` asks for it.',
            { type: 'integer', minimum: 0 },
            false,
          ),
        }
      : {}),
    ...(hasVersions
      ? {
          Version: header(
            'The version of the entity, which each change counts (RFC 9110, section 8.8.3).',
            { type: 'string', pattern: '^"[0-9]+"$' },
            true,
          ),
        }
      : {}),
    Allow: header('The methods that the path supports (RFC 9110, section 10.2.1).', { type: 'string' }, true),
    AcceptEncoding: header(
      'The encodings that bodies can have (RFC 9110, section 12.5.3): none.',
      { type: 'string', const: 'identity' },
      true,
    ),
    ...(authenticated
      ? {
          WWWAuthenticate: header(
            'The authentication scheme (RFC 6750, section 3).',
            { type: 'string', const: 'Bearer' },
            true,
          ),
        }
      : {}),
    RetryAfter: header(
      'Seconds to wait before the request is sent again.',
      { type: 'integer', minimum: 1 },
      false,
    ),
  }
}

function header(description: string, schema: JsonObject, required: boolean): JsonObject {
  return { description, ...(required ? { required } : {}), schema }
}

/** A reference to a shared header. */
export function headerReference(name: string): JsonObject {
  return { $ref: `#/components/headers/${name}` }
}

/** A JSON response of a service. */
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

/** Names of the shared responses, for errors that are the same for all endpoints. */
const SHARED: ReadonlyMap<ErrorStatus, string> = new Map([
  [401, 'Unauthorized'],
  [413, 'TooLarge'],
  [415, 'UnsupportedEncoding'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'Unavailable'],
])

/** The responses that operations share. */
export function sharedResponses(names: SchemaNames, authenticated: boolean): JsonObject {
  const either = eitherError(names)
  return {
    ...(authenticated
      ? {
          Unauthorized: {
            description: 'The token is missing or invalid.',
            headers: { 'WWW-Authenticate': headerReference('WWWAuthenticate') },
            content: {
              'application/json': {
                schema: either,
                examples: {
                  gateway: { summary: 'Rejected by the gateway', value: { message: GATEWAY_TEXTS[401] } },
                  service: {
                    summary: 'Rejected by the service',
                    value: { error: SERVICE_TEXTS.unauthorized },
                  },
                },
              },
            },
          },
        }
      : {}),
    MethodNotAllowed: jsonResponse(
      'The path does not support the method.',
      schemaReference(names.error),
      { error: SERVICE_TEXTS.methodNotAllowed },
      { Allow: headerReference('Allow') },
    ),
    TooLarge: jsonResponse('The body is too large.', schemaReference(names.error), {
      error: SERVICE_TEXTS.tooLarge,
    }),
    UnsupportedEncoding: jsonResponse(
      'The body is compressed.',
      schemaReference(names.error),
      { error: SERVICE_TEXTS.unsupportedEncoding },
      { 'Accept-Encoding': headerReference('AcceptEncoding') },
    ),
    TooManyRequests: {
      description: 'Too many of these requests come from the address of the client.',
      headers: { 'Retry-After': headerReference('RetryAfter') },
      content: {
        'application/json': {
          schema: schemaReference(names.gatewayError),
          example: { message: GATEWAY_TEXTS[429] },
        },
      },
    },
    InternalError: jsonResponse(
      "An unexpected error occurred. The service's log has details.",
      schemaReference(names.error),
      { error: SERVICE_TEXTS.internalError },
    ),
    Unavailable: {
      description:
        'The service, its database or another service that it calls is unavailable. Try again later.',
      headers: { 'Retry-After': headerReference('RetryAfter') },
      content: {
        'application/json': {
          schema: either,
          examples: {
            gateway: { summary: 'The service is not running', value: { message: GATEWAY_TEXTS[503] } },
            service: { summary: 'Its database does not respond', value: { error: unavailableText('Home') } },
          },
        },
      },
    },
    Hook: {
      description: 'A hook of the service rejected the request with a status of its choice.',
      content: {
        'application/json': {
          schema: schemaReference(names.error),
          example: { error: 'Bookings are closed on Sundays' },
        },
      },
    },
  }
}

/** The error responses of an operation, by status. */
export function errorResponseObjects(
  responses: readonly ErrorResponse[],
  names: SchemaNames,
  hasPathParameters: boolean,
): JsonObject {
  const byStatus = Map.groupBy(responses, ({ status }) => status)
  const described = [...byStatus].map(([status, group]): [string, JsonObject] => {
    const shared = SHARED.get(status)
    // The 401 of a login has its own message.
    if (shared !== undefined && !group.some(isOwn)) return [String(status), responseReference(shared)]
    // The gateway rejects ambiguous paths and paths of other services itself.
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

function isOwn({ message, status }: ErrorResponse): boolean {
  return status === 401 && message !== SERVICE_TEXTS.unauthorized
}

/** Joins causes to a sentence: `The body is not a JSON object; an attribute is invalid.` */
function describe(group: readonly ErrorResponse[]): string {
  const text = [...new Set(group.map(({ when }) => when))].join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** The last, most specific error as an example. The description lists all causes. */
function exampleOf(group: readonly ErrorResponse[]): JsonObject {
  const last = group.at(-1)
  if (last === undefined) return {}
  return { example: last.sentBy === 'gateway' ? { message: last.message } : { error: last.message } }
}

function eitherError(names: SchemaNames): JsonObject {
  return { anyOf: [schemaReference(names.error), schemaReference(names.gatewayError)] }
}

function responseReference(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` }
}

/** A path such as `/api/home/{id}` with a sample id. */
export function samplePath(path: string): string {
  return path.replace(/\{[^}]+\}/g, SAMPLE_ID)
}
