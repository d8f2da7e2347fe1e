import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http'

/** What the gateway itself answers. The texts are those of HTTP, but for paths of no service. */
const STATUS_TEXT = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
} as const

/** A status that the gateway answers itself. */
export type GatewayStatus = keyof typeof STATUS_TEXT

/** Bytes of a refused body that are still read, so that its sender gets to see the answer, and for how long. */
const DISCARDED_BYTES = 80 * 1024 * 1024
const DISCARD_MS = 10_000

/** Answers with `{"message": "..."}`. Nothing is written when an answer has begun already. */
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
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    // Of what cannot be read for sure, the end cannot be known either.
    ...(status === 400 ? { connection: 'close' } : {}),
    ...headers,
  })
  response.end(body)
  discardBody(request)
}

/** The same answer for a connection whose request could not be read (RFC 9112, 2.2), which ends with it. */
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
 * Reads what a client still sends after its answer was given, so that it gets to read that (a connection
 * closed with unread data is reset, RFC 9112, 9.6), but not without end.
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
  return `{"message": ${JSON.stringify(STATUS_TEXT[status])}}`
}
