import { describeCombination } from './combination.ts'
import { isSameAccess } from '../access.ts'
import { requestAttributes, stateAttributes } from './entities.ts'
import { AUTHENTICATION, withArticle } from '../naming.ts'
import { hasBody, inputAttributes, queryNames } from './custom-endpoints.ts'
import { writesOne } from './endpoints.ts'
import { MAX_PAGE } from '../limits.ts'
import { oneOf } from './describe-access.ts'
import {
  assertNever,
  type Attribute,
  type CustomEndpointContext,
  type Endpoint,
  type EndpointContext,
  type Entity,
  type Service,
} from './platform.ts'
import { SAMPLE_ID } from './samples.ts'
import {
  changedText,
  duplicateText,
  GATEWAY_TEXTS,
  type GatewayStatus,
  invalidParameterText,
  missingText,
  notFoundText,
  SERVICE_TEXTS,
  stillReferencedText,
  transitionText,
  unavailableText,
  unknownReferenceText,
} from './error-texts.ts'

/** The status of an error response. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 428 | 429 | 500 | 503

/** An error response of an endpoint, with its cause. */
export interface ErrorResponse {
  readonly status: ErrorStatus
  /** The message, with sample values: `Home not found: 019ab6f2-...`. */
  readonly message: string
  /** The cause, as part of a sentence: `the Home does not exist`. */
  readonly when: string
  /** The gateway sends `{"message": ...}`, services send `{"error": ...}`. */
  readonly sentBy: 'service' | 'gateway'
}

/**
 * All error responses of an endpoint, ordered by status and then by the order of the checks. Hooks may respond with
 * other statuses.
 */
export function errorResponses(place: EndpointContext): ErrorResponse[] {
  const authenticated = place.platform.authentication !== undefined
  return [
    ...malformed(place),
    ...(authenticated ? unauthorized() : []),
    ...forbidden(place),
    ...missing(place),
    ...conflicts(place),
    ...changed(place),
    ...(sendsBody(place.endpoint) ? [tooLarge(), unsupportedEncoding()] : []),
    ...reused(place),
    ...unmatched(place),
    ...failures(place.service.names.declared),
    ...uncheckedReferences(sendsBody(place.endpoint) ? requestAttributes(place.entity) : []),
  ]
}

/** All error responses of a custom endpoint, except those of its handler. */
export function customErrorResponses({
  platform,
  service: owner,
  endpoint,
}: CustomEndpointContext): ErrorResponse[] {
  const { hasId, pathAttributes, requestAttributes: sent, check, roles, isPublic } = endpoint
  const { declared } = owner.names
  const attributes = inputAttributes(endpoint)
  const required = attributes.find((each) => each.required && !pathAttributes.includes(each))
  const [invalid] = [...sent, ...pathAttributes]
  return [
    ...(hasId ? [invalidId()] : []),
    ...(queryNames(endpoint).length === 0
      ? []
      : [service(400, 'Unknown query parameter other', 'a query parameter is unknown')]),
    ...(endpoint.response.kind === 'list' ? [invalidLimit()] : []),
    ...(hasBody(endpoint) && sent.length > 0 ? [noObject()] : []),
    ...(required === undefined
      ? []
      : [service(400, missingText([required.names.declared]), 'attributes are missing')]),
    ...(invalid === undefined ? [] : [invalidAttribute(invalid)]),
    ...unknownReferences(attributes),
    ...(platform.authentication === undefined || isPublic ? [] : unauthorized()),
    ...(roles.length === 0 ? [] : [lackingRole(roles)]),
    ...(check === 'writable' ? foreignWrites(owner) : []),
    ...(check === undefined
      ? []
      : [
          service(
            404,
            notFoundText(declared, SAMPLE_ID),
            `the ${declared} does not exist${hiddenFrom(owner)}`,
          ),
        ]),
    ...(hasBody(endpoint) && sent.length > 0 ? [tooLarge(), unsupportedEncoding()] : []),
    ...failures(declared),
    ...uncheckedReferences(attributes),
  ]
}

function unauthorized(): ErrorResponse[] {
  return [
    service(401, SERVICE_TEXTS.unauthorized, 'the token does not identify a user'),
    gateway(401, 'the token is missing or invalid'),
  ]
}

/** The causes of conflicts (409) as part of a sentence; `undefined` without any. */
export function conflictCauses(responses: readonly ErrorResponse[]): string | undefined {
  const causes = responses.filter(({ status }) => status === 409).map(({ when }) => when)
  return causes.length === 0 ? undefined : causes.join(', or if ')
}

/** All error responses of registration and login. */
export function authenticationErrorResponses(operation: 'register' | 'login'): ErrorResponse[] {
  return [
    service(
      400,
      invalidParameterText('email', 'must be an email address'),
      'the email or the password is missing or invalid',
    ),
    operation === 'register'
      ? service(409, SERVICE_TEXTS.userExists, 'the email is already registered, in upper or lower case')
      : service(401, SERVICE_TEXTS.invalidCredentials, 'the email is unknown or the password is wrong'),
    tooLarge(),
    unsupportedEncoding(),
    gateway(429, 'the address of the client sends too many of these requests'),
    ...failures(AUTHENTICATION),
  ].toSorted((a, b) => a.status - b.status)
}

function malformed({ entity, endpoint }: EndpointContext): ErrorResponse[] {
  const [attribute] = requestAttributes(entity)
  const required = entity.attributes.find((each) => each.required)?.names.declared
  return [
    ...(endpoint.paths[0].includes('{') ? [invalidId()] : []),
    ...(endpoint.operation === 'list' ? [invalidLimit()] : []),
    ...(sendsBody(endpoint) ? [noObject()] : []),
    ...(sendsBody(endpoint) && endpoint.operation !== 'patch' && required !== undefined
      ? [service(400, missingText([required]), 'attributes are missing')]
      : []),
    ...(sendsBody(endpoint) && attribute !== undefined ? [invalidAttribute(attribute)] : []),
    ...(sendsBody(endpoint) ? unknownReferences(requestAttributes(entity)) : []),
  ]
}

function invalidId(): ErrorResponse {
  return service(400, 'Invalid id: 42', 'an id in the path is not a UUID')
}

function invalidLimit(): ErrorResponse {
  const problem = `must be an integer from 1 to ${MAX_PAGE}`
  return service(400, invalidParameterText('limit', problem), 'a query parameter is invalid')
}

function noObject(): ErrorResponse {
  return service(400, 'Invalid request body: must be a JSON object', 'the body is not a JSON object')
}

function invalidAttribute({ names }: Attribute): ErrorResponse {
  return service(400, invalidParameterText(names.declared, '...'), 'an attribute is invalid')
}

function unknownReferences(attributes: readonly Attribute[]): ErrorResponse[] {
  return referencedNames(attributes).map((target) =>
    service(
      400,
      unknownReferenceText(target, SAMPLE_ID),
      `a referenced ${target} does not exist or the caller may not read it`,
    ),
  )
}

function forbidden({ service: owner, entity, endpoint }: EndpointContext): ErrorResponse[] {
  const { writable } = owner
  if (writable === 'all' || endpoint.operation === 'read' || endpoint.operation === 'list') return []
  if (endpoint.operation === 'identify') return []
  if (endpoint.operation === 'create' && !('parent' in entity))
    return writable.creator ? [] : [lackingRole(writable.roles)]
  return foreignWrites(owner)
}

/** Writes by users who may read an entity but not write it. */
function foreignWrites({ readable, writable, names }: Service): ErrorResponse[] {
  if (writable === 'all' || isSameAccess(readable, writable)) return []
  const { creator, roles } = writable
  if (!creator) return [lackingRole(roles)]
  const foreign = `the ${names.declared} was created by another user`
  return [
    service(
      403,
      SERVICE_TEXTS.forbidden,
      roles.length === 0 ? foreign : `${foreign} and ${lackingRole(roles).when}`,
    ),
  ]
}

function lackingRole(roles: readonly string[]): ErrorResponse {
  return service(403, SERVICE_TEXTS.forbidden, `the token does not have the role ${oneOf(roles)}`)
}

function missing({ service: owner, entity, endpoint }: EndpointContext): ErrorResponse[] {
  const name = entity.names.declared
  const parent = owner.names.declared
  const gone = (what: string) => `the ${what} does not exist${hiddenFrom(owner)}`
  const below = 'parent' in entity ? [service(404, notFoundText(parent, SAMPLE_ID), gone(parent))] : []
  switch (endpoint.operation) {
    case 'create':
    case 'list':
      return below
    case 'identify':
      return [service(404, notFoundText(name, SAMPLE_ID), `the caller does not have ${withArticle(name)}`)]
    case 'read':
    case 'update':
    case 'patch':
    case 'delete':
      return [
        ...below,
        service(
          404,
          notFoundText(name, SAMPLE_ID),
          below.length > 0 ? `the ${name} does not exist` : gone(name),
        ),
      ]
    default:
      return assertNever(endpoint.operation)
  }
}

/** Why an entity may be hidden from a caller, as the rest of a sentence. */
function hiddenFrom({ readable }: Service): string {
  if (readable === 'all') return ''
  const { creator, roles } = readable
  const lacking = `the token does not have the role ${oneOf(roles)}`
  if (!creator) return ` or ${lacking}`
  return ` or belongs to another user${roles.length === 0 ? '' : ` and ${lacking}`}`
}

function conflicts({ service: owner, entity, endpoint: { operation } }: EndpointContext): ErrorResponse[] {
  const name = entity.names.declared
  const unique = entity.attributes.filter((attribute) => attribute.unique)
  const taken = [
    ...unique.map((attribute) => `the same \`${attribute.names.declared}\``),
    ...entity.combinations.map(
      (combination) => `the same combination of ${describeCombination(combination)}`,
    ),
  ].map((same) => service(409, duplicateText(name), `another ${name} has ${same}`))
  if (operation === 'update' || operation === 'patch') return [...taken, ...refused(entity)]
  if (operation === 'create') {
    const running = owner.idempotent
      ? [service(409, SERVICE_TEXTS.keyInUse, 'a request with the same `Idempotency-Key` is still running')]
      : []
    const once =
      owner.storesUsers && owner.entity === entity
        ? [service(409, duplicateText(name), `the caller already has ${withArticle(name)}`)]
        : []
    return [...once, ...running, ...taken]
  }
  const referenced = operation === 'delete' && 'referenced' in entity && entity.referenced === true
  return referenced ? [service(409, stillReferencedText(name), `another entry references the ${name}`)] : []
}

function changed({ entity, endpoint }: EndpointContext): ErrorResponse[] {
  const name = entity.names.declared
  return entity.version !== undefined && writesOne(endpoint)
    ? [service(412, changedText(name), `\`If-Match\` does not contain the version of the ${name}`)]
    : []
}

function reused({ service: { idempotent }, endpoint }: EndpointContext): ErrorResponse[] {
  return idempotent && endpoint.operation === 'create'
    ? [service(422, SERVICE_TEXTS.keyReused, '`Idempotency-Key` was used for another request')]
    : []
}

function unmatched({ entity, endpoint }: EndpointContext): ErrorResponse[] {
  return entity.version === 'required' && writesOne(endpoint)
    ? [service(428, SERVICE_TEXTS.preconditionRequired, '`If-Match` is missing')]
    : []
}

/** A change of each attribute with `@transitions` that is not among them. */
function refused(entity: Entity): ErrorResponse[] {
  return stateAttributes(entity).flatMap(({ names: { declared }, type, inRequest }) => {
    const pairs = type.transitions.next.flatMap(([from, to]) =>
      type.values
        .filter((value) => value !== from && !to.includes(value))
        .map((value) => [from, value] as const),
    )
    // What is final is the usual case.
    const [from, to] = pairs.at(-1) ?? []
    return inRequest && from !== undefined && to !== undefined
      ? [service(409, transitionText(declared, from, to), `\`${declared}\` cannot change in this way`)]
      : []
  })
}

function failures(name: string): ErrorResponse[] {
  return [
    service(500, SERVICE_TEXTS.internalError, 'an unexpected error occurred; the log has details'),
    service(503, unavailableText(name), "the service's database does not respond"),
    gateway(503, 'the service is not running'),
  ]
}

function tooLarge(): ErrorResponse {
  return service(413, SERVICE_TEXTS.tooLarge, 'the body is too large')
}

function unsupportedEncoding(): ErrorResponse {
  return service(415, SERVICE_TEXTS.unsupportedEncoding, 'the body is compressed')
}

/** Whether requests to an endpoint have a body. */
function sendsBody({ operation }: Endpoint): boolean {
  return operation === 'create' || operation === 'update' || operation === 'patch'
}

/** The names of all targets of references, without duplicates. */
function referencedNames(attributes: readonly Attribute[]): string[] {
  const names = attributes.flatMap(({ type }) => {
    if (type.kind === 'reference') return [type.target.names.declared]
    return type.kind === 'sibling' ? [type.target.declared] : []
  })
  return [...new Set(names)]
}

/** The other services that are called to check references, when they do not respond. */
function uncheckedReferences(attributes: readonly Attribute[]): ErrorResponse[] {
  const names = attributes.flatMap(({ type }) =>
    type.kind === 'reference' && !type.local ? [type.target.names.declared] : [],
  )
  return [...new Set(names)].map((name) =>
    service(503, unavailableText(name), `a reference cannot be checked because ${name} does not respond`),
  )
}

function service(status: ErrorStatus, message: string, when: string): ErrorResponse {
  return { status, message, when, sentBy: 'service' }
}

function gateway(status: ErrorStatus & GatewayStatus, when: string): ErrorResponse {
  return { status, message: GATEWAY_TEXTS[status], when, sentBy: 'gateway' }
}
