import { withArticle } from './names.ts'
import { assertNever, type Endpoint, type Entity, type Platform, type Service } from './platform.ts'
import { SAMPLE_ID } from './samples.ts'

/** A status by which a request is refused. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 500 | 503

/** One reason for which an endpoint refuses a request. */
export interface Refusal {
  readonly status: RefusalStatus
  /** What the answer says, with sample values: `Home not found: 019ab6f2-...`. */
  readonly message: string
  /** When it comes, to stand behind the status: `the Home is missing`. */
  readonly when: string
  /** The gateway says `{"message": ...}`, services say `{"error": ...}`. */
  readonly by: 'service' | 'gateway'
}

/** An endpoint with what it stands in. `entity` is the service's own or one of its structs. */
export interface EndpointPlace {
  readonly platform: Platform
  readonly service: Service
  readonly entity: Entity
  readonly endpoint: Endpoint
}

/**
 * Every reason for which an endpoint refuses a request, ordered by status; of one status in the order in which
 * they are looked at. Hooks may add any status of their own.
 */
export function refusalsOf(place: EndpointPlace): Refusal[] {
  const authenticated = place.platform.authentication !== undefined
  return [
    ...malformed(place),
    ...(authenticated ? [service(401, 'Unauthorized', "the token is no user's")] : []),
    ...(authenticated ? [gateway(401, 'Unauthorized', 'there is no valid token')] : []),
    ...forbidden(place),
    ...missing(place),
    ...conflicts(place),
    ...(sendsBody(place.endpoint) ? [tooLarge()] : []),
    ...failures(place.service.names.declared),
    ...referencedServices(place).map((name) =>
      service(503, `${name} is unavailable`, `${name}, which is asked about a reference, does not answer`),
    ),
  ]
}

/** The same of registering and signing in. */
export function authenticationRefusals(operation: 'register' | 'login'): Refusal[] {
  return [
    service(
      400,
      'Invalid request parameter email: must be an email address',
      'the email or the password is missing or is none',
    ),
    operation === 'register'
      ? service(409, 'auth already exists', 'the email is registered already, in whatever case')
      : service(401, 'Invalid email or password', 'the email is unknown or the password wrong'),
    tooLarge(),
    ...failures('Auth'),
  ].toSorted((a, b) => a.status - b.status)
}

function malformed({ entity, endpoint }: EndpointPlace): Refusal[] {
  const [attribute] = entity.attributes.filter(({ requested }) => requested)
  const name = attribute?.names.declared
  return [
    ...(endpoint.paths[0].includes('{')
      ? [service(400, 'Invalid id: 42', 'an id in the path is no UUID')]
      : []),
    ...(endpoint.operation === 'list'
      ? [
          service(
            400,
            'Invalid request parameter limit: must be an integer from 1 to 1000',
            'a query parameter is refused',
          ),
        ]
      : []),
    ...(sendsBody(endpoint)
      ? [service(400, 'Invalid request body: must be a JSON object', 'the body is no JSON object')]
      : []),
    ...(sendsBody(endpoint) && name !== undefined
      ? [
          service(400, `Missing request parameter(s): ${name}`, 'attributes are missing'),
          service(400, `Invalid request parameter ${name}: ...`, 'an attribute is refused'),
        ]
      : []),
    ...(sendsBody(endpoint)
      ? referencedNames(entity).map((target) =>
          service(
            400,
            `Unknown ${target}: ${SAMPLE_ID}`,
            `a reference is to no ${target} that the caller may read`,
          ),
        )
      : []),
  ]
}

function forbidden({ platform, service: { readable, writable, names }, entity, endpoint }: EndpointPlace) {
  const isStruct = 'parent' in entity
  const writes =
    endpoint.operation === 'update' ||
    endpoint.operation === 'delete' ||
    (isStruct && endpoint.operation === 'create')
  const limited = platform.authentication !== undefined && writable === 'this' && readable === 'all'
  return writes && limited
    ? [service(403, 'Forbidden', `the ${names.declared} was created by somebody else`)]
    : []
}

function missing({ platform, service: owner, entity, endpoint }: EndpointPlace): Refusal[] {
  const name = entity.names.declared
  const parent = owner.names.declared
  const hidden = platform.authentication !== undefined && owner.readable === 'this'
  const gone = (what: string) => `the ${what} is missing${hidden ? ", or somebody else's" : ''}`
  const below = 'parent' in entity ? [service(404, `${parent} not found: ${SAMPLE_ID}`, gone(parent))] : []
  switch (endpoint.operation) {
    case 'create':
    case 'list':
      return below
    case 'identify':
      return [service(404, `${name} not found: ${SAMPLE_ID}`, `the caller has no ${name}`)]
    case 'read':
    case 'update':
    case 'delete':
      return [
        ...below,
        service(
          404,
          `${name} not found: ${SAMPLE_ID}`,
          below.length > 0 ? `the ${name} is missing` : gone(name),
        ),
      ]
    default:
      return assertNever(endpoint.operation)
  }
}

function conflicts({ service: owner, entity, endpoint: { operation } }: EndpointPlace): Refusal[] {
  const name = entity.names.declared
  const unique = entity.attributes.filter((attribute) => attribute.unique)
  const taken = unique.map((attribute) =>
    service(409, `Duplicate ${name} found`, `another ${name} has the same \`${attribute.names.declared}\``),
  )
  if (operation === 'update') return taken
  if (operation === 'create') {
    const once =
      owner.identity && owner.entity === entity
        ? [service(409, `Duplicate ${name} found`, `the caller has ${withArticle(name)} already`)]
        : []
    return [...once, ...taken]
  }
  const referenced = operation === 'delete' && 'referenced' in entity && entity.referenced === true
  return referenced
    ? [service(409, `${name} is still referenced`, `a sibling entry refers to the ${name}`)]
    : []
}

function failures(name: string): Refusal[] {
  return [
    service(500, 'Internal server error', 'something went wrong inside; the log has the details'),
    service(503, `${name} is unavailable`, 'the database of the service does not answer'),
    gateway(503, 'Service Unavailable', 'the service does not run'),
  ]
}

function tooLarge(): Refusal {
  return service(413, 'Request body too large', 'the body is too large')
}

/** Whether an endpoint reads a body. */
function sendsBody({ operation }: Endpoint): boolean {
  return operation === 'create' || operation === 'update'
}

/** What the references that clients send refer to, each once. */
function referencedNames({ attributes }: Entity): string[] {
  const names = attributes.flatMap(({ requested, type }) => {
    if (!requested) return []
    if (type.kind === 'reference') return [type.target.names.declared]
    return type.kind === 'sibling' ? [type.target.declared] : []
  })
  return [...new Set(names)]
}

/** Other services that an endpoint asks. */
function referencedServices({ entity, endpoint }: EndpointPlace): string[] {
  if (!sendsBody(endpoint)) return []
  const names = entity.attributes.flatMap(({ requested, type }) =>
    requested && type.kind === 'reference' && !type.own ? [type.target.names.declared] : [],
  )
  return [...new Set(names)]
}

function service(status: RefusalStatus, message: string, when: string): Refusal {
  return { status, message, when, by: 'service' }
}

function gateway(status: RefusalStatus, message: string, when: string): Refusal {
  return { status, message, when, by: 'gateway' }
}
