/** What a request came to: a value, or why there is none. Nothing is thrown. */
export type Result<Value> = Success<Value> | Failure

/** A request that was answered. */
export interface Success<Value> {
  readonly ok: true
  readonly value: Value
}

/** A request that was refused, or not answered. */
export interface Failure {
  readonly ok: false
  readonly error: ApiError
}

/** Why a request was refused, or not answered. */
export interface ApiError {
  readonly kind: ErrorKind
  /** A sentence for people, as the service has it. */
  readonly message: string
  /** The status of the answer; `undefined` where none came. */
  readonly status: number | undefined
  /** What broke, where no answer came. */
  readonly cause?: unknown
}

/**
 * `invalid` (400), `unauthorized` (401), `forbidden` (403), `notFound` (404), `conflict` (409), `tooLarge` (413),
 * `unavailable` (502, 503, 504), `refused` (any other status: hooks may choose one), `timeout`, `aborted` (by the
 * caller's signal), `unreachable` (no answer, or none that could be read).
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'tooLarge'
  | 'unavailable'
  | 'refused'
  | 'timeout'
  | 'aborted'
  | 'unreachable'

/** A result that holds a value. */
export function success<Value>(value: Value): Success<Value> {
  return { ok: true, value }
}

/** A result that holds none. */
export function failure(kind: ErrorKind, message: string, status?: number, cause?: unknown): Failure {
  return { ok: false, error: { kind, message, status, ...(cause === undefined ? {} : { cause }) } }
}

/** What a status means. */
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
