import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ApiEnv } from './api.ts'
import { isUnavailable, violatedConstraint } from './database.ts'
import type { Log } from './log.ts'

/** Thrown or returned by a hook: ends the request with this status and `{"error": message}`. */
export class HookError extends HTTPException {
  constructor(status: ContentfulStatusCode, message: string) {
    if (!(status >= 200 && status <= 599)) throw new RangeError('A HookError needs a status from 200 to 599')
    super(status, { message })
  }
}

export const badRequest = (message: string) => new HTTPException(400, { message })
export const invalidParameter = (name: string, problem: string) =>
  badRequest(`Invalid request parameter ${name}: ${problem}`)
export const forbidden = () => new HTTPException(403, { message: 'Forbidden' })
export const conflict = (message: string) => new HTTPException(409, { message })
export const notFound = (entity: string, id: string) =>
  new HTTPException(404, { message: `${entity} not found: ${id}` })
export const tooLarge = () => new HTTPException(413, { message: 'Request body too large' })

export const unsupportedEncoding = () =>
  withHeaders(415, 'Unsupported content encoding', { 'Accept-Encoding': 'identity' })
export const unauthorized = () => withHeaders(401, 'Unauthorized', { 'WWW-Authenticate': 'Bearer' })
export const unavailable = (service: string) =>
  withHeaders(503, `${service} is unavailable`, { 'Retry-After': '1' })
/** The message of a service that does not handle requests yet. */
export const NOT_SERVING = 'Starting'
export const notServing = () => withHeaders(503, NOT_SERVING, { 'Retry-After': '1' })
export const busy = () => withHeaders(503, 'Too many large requests', { 'Retry-After': '1' })

function withHeaders(status: ContentfulStatusCode, message: string, headers: Record<string, string>) {
  const all = { 'Cache-Control': 'no-store', ...headers }
  const res = Response.json({ error: message }, { status, headers: all })
  return new HTTPException(status, { message, res })
}

/** What the error responses of a service name. */
export interface ErrorNames {
  /** The service as declared. */
  readonly service: string
  /** The message for each constraint of the database that a request can violate. */
  readonly conflicts: Readonly<Record<string, string>>
}

/** Turns what handlers and hooks throw into responses. Details of failures go only to the log. */
export function errorHandler({ service, conflicts }: ErrorNames, log: Log): ErrorHandler<ApiEnv> {
  return (error, c) => {
    if (error instanceof HTTPException) {
      return error.res === undefined ? c.json({ error: error.message }, error.status) : error.getResponse()
    }
    const duplicate = conflicts[violatedConstraint(error) ?? '']
    if (duplicate !== undefined) return c.json({ error: duplicate }, 409)
    if (isUnavailable(error)) {
      log.warn({ err: error }, 'Database unavailable')
      return unavailable(service).getResponse()
    }
    // The client has closed the connection before its body was complete.
    if (c.env?.incoming?.readableAborted === true) return c.json({ error: 'Request aborted' }, 400)
    log.error({ err: error }, 'Request failed')
    return c.json({ error: 'Internal server error' }, 500)
  }
}
