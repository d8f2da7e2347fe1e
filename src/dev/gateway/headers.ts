import { randomUUID } from 'node:crypto'
import { SPOOFABLE_HEADERS } from '../../model/routes.ts'

/** Fields for a single connection (RFC 9110, 7.6.1), or that this gateway handles itself. */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** A request id that is kept; others are replaced. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Returns the header fields to send to a service, flat as in `IncomingMessage.rawHeaders`: the client's, without those
 * of the connection and those that only a gateway may set, and a request id.
 */
export function requestHeaders(raw: readonly string[]): string[] {
  const named = connectionOptions(raw)
  const headers: string[] = []
  let requestId: string | undefined
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = [raw[index] ?? '', raw[index + 1] ?? '']
    const key = name.toLowerCase()
    if (key === 'x-request-id') requestId ??= REQUEST_ID.test(value) ? value : undefined
    else if (!CONNECTION_FIELDS.has(key) && !isGatewayField(key) && !isDropped(key, named))
      headers.push(name, value)
  }
  headers.push('x-request-id', requestId ?? randomUUID())
  return headers
}

/** Returns the header fields of a service's response to send to the client, flat, without those of the connection. */
export function responseHeaders(raw: readonly string[]): string[] {
  const named = connectionOptions(raw)
  const headers: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = [raw[index] ?? '', raw[index + 1] ?? '']
    const key = name.toLowerCase()
    if (!CONNECTION_FIELDS.has(key) && !isDropped(key, named)) headers.push(name, value)
  }
  return headers
}

/** Counts the occurrences of a field. `name` is in lower case. */
export function countField(raw: readonly string[], name: string): number {
  return raw.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length
}

function isGatewayField(key: string): boolean {
  const { names, prefixes: beginnings } = SPOOFABLE_HEADERS
  return (
    key.includes('_') ||
    names.some((name) => key === name) ||
    beginnings.some((beginning) => key.startsWith(beginning))
  )
}

/** A Connection field may name any field to remove, except the length of the body and the host. */
function isDropped(key: string, named: ReadonlySet<string>): boolean {
  return named.has(key) && key !== 'content-length' && key !== 'host'
}

function connectionOptions(raw: readonly string[]): ReadonlySet<string> {
  const options = raw.flatMap((value, index) =>
    index % 2 === 1 && raw[index - 1]?.toLowerCase() === 'connection' ? value.toLowerCase().split(',') : [],
  )
  return new Set(options.map((option) => option.trim()))
}
