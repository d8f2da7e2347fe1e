import type { IncomingMessage, ServerResponse } from 'node:http'

/** The headers that Envoy's CORS filter adds in a deployment. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  // The wildcard does not include `Authorization`.
  'access-control-allow-headers': 'authorization, *',
  'access-control-max-age': '600',
}

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
    response.setHeader('access-control-expose-headers', '*')
    return false
  }
  response.writeHead(200, { ...PREFLIGHT_HEADERS, 'content-length': 0 }).end()
  return true
}
