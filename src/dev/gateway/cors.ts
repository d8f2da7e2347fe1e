import type { IncomingMessage, ServerResponse } from 'node:http'

/** The headers that Envoy's CORS filter adds in a deployment. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, traceparent, tracestate, x-request-id',
  'access-control-max-age': '600',
}
const EXPOSED_HEADERS = 'link, location, retry-after, www-authenticate, x-request-id, x-total-count'

/**
 * Lets web pages of an allowed origin read the response (Fetch standard, section 3.2). Returns whether the request was
 * a preflight request, to which it then has responded.
 */
export function allowOrigin(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  origins: ReadonlySet<string>,
): boolean {
  const { origin } = headers
  if (origin === undefined || !origins.has(origin)) return false
  response.setHeader('access-control-allow-origin', origin)
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
    response.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
    return false
  }
  response.writeHead(200, { ...PREFLIGHT_HEADERS, 'content-length': 0 }).end()
  return true
}
