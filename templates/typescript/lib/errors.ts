import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

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
