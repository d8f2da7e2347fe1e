import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http'
import { GATEWAY_HEADERS, GATEWAY_TEXTS, type GatewayStatus } from '../../model/error-texts.ts'

export type { GatewayStatus }

/** How many bytes of a rejected body are read, so that the client can read the response, and for how long. */
const DISCARDED_BYTES = 80 * 1024 * 1024
const DISCARD_MS = 10_000

/** Responds with `{"message": "..."}`. Does nothing if a response has begun. */
export function reply(
  request: IncomingMessage,
  response: ServerResponse,
  status: GatewayStatus,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return
  const body = messageBody(status)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...GATEWAY_HEADERS[status],
    // The end of an ambiguous request is unknown, so the connection cannot be used again.
    ...(status === 400 ? { connection: 'close' } : {}),
    ...headers,
  })
  response.end(body)
  discardBody(request)
}

/** The same response for a request that could not be parsed (RFC 9112, 2.2). It ends the connection. */
export function rawReply(status: GatewayStatus): string {
  const body = messageBody(status)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/**
 * Reads a limited amount of what a client still sends, so that it can read the response: a connection closed with
 * unread data is reset (RFC 9112, 9.6).
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let left = DISCARDED_BYTES
  const timer = setTimeout(() => request.destroy(), DISCARD_MS).unref()
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  request.once('close', () => clearTimeout(timer))
  request.resume()
}

function messageBody(status: GatewayStatus): string {
  return `{"message": ${JSON.stringify(GATEWAY_TEXTS[status])}}`
}

/** A document that the gateway serves itself. */
export interface ServedDocument {
  /** Media type: `application/json`. */
  readonly type: string
  readonly body: Buffer
}

/**
 * Serves a document to GET and HEAD; other methods are 405 (RFC 9110, 15.5.6). Caches must revalidate, because live
 * reload may change the document.
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
