import type { IncomingMessage, ServerResponse } from 'node:http'
import { discardBody, reply } from './reply.ts'

/** A document that the gateway has itself. */
export interface ServedDocument {
  /** Media type: `application/json`. */
  readonly type: string
  readonly body: Buffer
}

/**
 * Answers with a document: GET and HEAD, other methods are 405 (RFC 9110, 15.5.6). Caches ask again each time, since
 * live reloading may change it.
 */
export function serveDocument(
  request: IncomingMessage,
  response: ServerResponse,
  { type, body }: ServedDocument,
): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return reply(request, response, 405, { allow: 'GET, HEAD' })
  }
  response.writeHead(200, {
    'content-type': type,
    'content-length': body.byteLength,
    'cache-control': 'no-cache',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
  discardBody(request)
}
