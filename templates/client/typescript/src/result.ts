/** The result of a request: a value or an error. Nothing is thrown. */
export type Result<Value> = Success<Value> | Failure

/** The result of a successful request. */
export interface Success<Value> {
  readonly ok: true
  readonly value: Value
}

/** The result of a failed request. */
export interface Failure {
  readonly ok: false
  readonly error: ApiError
}

/** Why a request failed. */
export interface ApiError {
  readonly kind: ErrorKind
  /** A human-readable message from the service. */
  readonly message: string
  /** The status of the response; `undefined` without a response. */
  readonly status: number | undefined
  /** The `X-Request-Id` of the response: `requestId` in the logs. */
  readonly requestId?: string
  /** The exception, if there was no response. */
  readonly cause?: unknown
}

/**
 * `invalid` (400), `unauthorized` (401), `forbidden` (403), `notFound` (404), `conflict` (409), `changed` (412, 428),
 * `tooLarge` (413), `unavailable` (502, 503, 504), `refused` (any other status, which hooks may choose), `timeout`,
 * `aborted` (by the caller's signal), `unreachable` (no response, or one that could not be parsed).
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'changed'
  | 'tooLarge'
  | 'unavailable'
  | 'refused'
  | 'timeout'
  | 'aborted'
  | 'unreachable'

/** Creates a successful result. */
export function success<Value>(value: Value): Success<Value> {
  return { ok: true, value }
}

/** Creates a failed result without a response. */
export function failure(kind: ErrorKind, message: string, cause: unknown): Failure {
  return { ok: false, error: { kind, message, status: undefined, cause } }
}

/** Creates a failed result from a response. */
export function responseFailure(kind: ErrorKind, message: string, { status, headers }: Response): Failure {
  const requestId = headers.get('x-request-id')
  return { ok: false, error: { kind, message, status, ...(requestId === null ? {} : { requestId }) } }
}

/** Returns the kind of error for a status. */
export function kindOf(status: number): ErrorKind {
  switch (status) {
    case 400:
      return 'invalid'
    case 401:
      return 'unauthorized'
    case 403:
      return 'forbidden'
    case 404:
      return 'notFound'
    case 409:
      return 'conflict'
    case 412:
    case 428:
      return 'changed'
    case 413:
      return 'tooLarge'
    case 502:
    case 503:
    case 504:
      return 'unavailable'
    default:
      return 'refused'
  }
}
