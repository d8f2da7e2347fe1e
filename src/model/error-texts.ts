/** The messages of the gateway's own responses by status: the reason phrases of HTTP. */
export const GATEWAY_TEXTS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  417: 'Expectation Failed',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const

/** A status of the gateway's own responses. */
export type GatewayStatus = keyof typeof GATEWAY_TEXTS

/** Header fields of these responses, by status. */
export const GATEWAY_HEADERS: Readonly<Partial<Record<number, Readonly<Record<string, string>>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  503: { 'retry-after': '1' },
}

/** The messages of services that name nothing. `templates/` has the same texts. */
export const SERVICE_TEXTS = {
  forbidden: 'Forbidden',
  keyInUse: 'A request with this Idempotency-Key is still running',
  keyInvalid: 'Idempotency-Key must have 1 to 255 visible characters',
  keyReused: 'Idempotency-Key was used for another request',
  internalError: 'Internal server error',
  invalidCredentials: 'Invalid email or password',
  methodNotAllowed: 'Method not allowed',
  pathNotFound: 'Not found',
  preconditionRequired: 'If-Match is required',
  tooLarge: 'Request body too large',
  unauthorized: 'Unauthorized',
  unsupportedEncoding: 'Unsupported content encoding',
  userExists: 'auth already exists',
} as const

/** The message for attributes that are missing, by name. */
export function missingText(names: readonly string[]): string {
  return `Missing request parameter(s): ${names.join(', ')}`
}

/** The message for an attribute or a query parameter that is invalid. */
export function invalidParameterText(name: string, problem: string): string {
  return `Invalid request parameter ${name}: ${problem}`
}

/** The message for an entity that does not exist or is hidden from the caller. */
export function notFoundText(name: string, id: string): string {
  return `${name} not found: ${id}`
}

/** The message for a reference to an entity that does not exist or is hidden from the caller. */
export function unknownReferenceText(name: string, id: string): string {
  return `Unknown ${name}: ${id}`
}

/** The message for an entity whose unique values another one has. */
export function duplicateText(name: string): string {
  return `Duplicate ${name} found`
}

/** The message for a change that `@transitions` does not list. */
export function transitionText(name: string, from: string, to: string): string {
  return `${name} cannot change from ${from} to ${to}`
}

/** The message for an entity that cannot be deleted, because others refer to it. */
export function stillReferencedText(name: string): string {
  return `${name} is still referenced`
}

/** The message for an entity that does not have the version that the request names. */
export function changedText(name: string): string {
  return `${name} has changed`
}

/** The message for a service that does not respond, or whose database does not. */
export function unavailableText(name: string): string {
  return `${name} is unavailable`
}

const NAME = '\\w+'

const SERVICE_TEXT = new RegExp(
  `^(?:${[
    'Invalid id: ',
    'Invalid request body: ',
    invalidParameterText(NAME, ''),
    missingText([]).replace(/[()]/g, '\\$&'),
    notFoundText(NAME, ''),
    unknownReferenceText(NAME, ''),
    transitionText(NAME, '[\\w-]+', '[\\w-]+$'),
    ...[duplicateText(NAME), stillReferencedText(NAME), changedText(NAME), unavailableText(NAME)].map(
      (text) => `${text}$`,
    ),
    ...Object.values(SERVICE_TEXTS).map((text) => `${text}$`),
  ].join('|')})`,
)

/** Whether a message is one of generated code. Others come from hooks. */
export function isServiceText(message: string): boolean {
  return SERVICE_TEXT.test(message)
}
