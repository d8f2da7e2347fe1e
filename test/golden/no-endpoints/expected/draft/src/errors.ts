/** An answer other than success; the app sends it as `{"error": message}`. */
export class ServiceError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/**
 * Thrown or returned by a hook to end the request with this status (200 to 599, one that carries a body) and
 * `{"error": message}`.
 */
export class HookError extends ServiceError {
  constructor(status: number, message: string) {
    if (!Number.isInteger(status) || status < 200 || status > 599 || [204, 205, 304].includes(status)) {
      throw new RangeError(`A hook error cannot have the status ${status}`)
    }
    super(status, message)
  }
}

/** 400: what stands in the body is no JSON object. */
export function invalidBody(reason: string): ServiceError {
  return new ServiceError(400, `Invalid request body: ${reason}`)
}

/** 400: a body's attribute or a query parameter that its type or bounds refuse. */
export function invalidParameter(name: string, reason: string): ServiceError {
  return new ServiceError(400, `Invalid request parameter ${name}: ${reason}`)
}

/** 401 (RFC 6750, section 3). */
export function unauthorized(): ServiceError {
  return new ServiceError(401, 'Unauthorized', { 'WWW-Authenticate': 'Bearer' })
}

/** 403: a write to what the caller may read only. */
export function forbidden(): ServiceError {
  return new ServiceError(403, 'Forbidden')
}

/** 404: an entity that is missing or that the caller may not read. */
export function notFound(entity: string, id: string): ServiceError {
  return new ServiceError(404, `${entity} not found: ${id}`)
}

/** 409: a unique value that is taken. */
export function duplicate(entity: string): ServiceError {
  return new ServiceError(409, `Duplicate ${entity} found`)
}

/** 503: a service or its database does not answer. */
export function unavailable(service: string): ServiceError {
  return new ServiceError(503, `${service} is unavailable`)
}
