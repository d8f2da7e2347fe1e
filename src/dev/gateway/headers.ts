import { randomUUID } from 'node:crypto'
import { GATEWAY_FIELDS } from '../../model/routes.ts'

/** Fields that hold for one connection alone (RFC 9110, 7.6.1), or that this gateway answers itself. */
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

/** What a request id may look like for a service to keep it. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/**
 * The header fields that go to a service, flat as in `IncomingMessage.rawHeaders`: those of the client without
 * the connection's own and without any that only a gateway may set, and a request id.
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

/** The header fields of a service's answer that go to the client, flat, without the connection's own. */
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

/** How often a field occurs; `name` in lower case. */
export function countField(raw: readonly string[], name: string): number {
  return raw.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length
}

function isGatewayField(key: string): boolean {
  const { names, beginnings } = GATEWAY_FIELDS
  return (
    key.includes('_') ||
    names.some((name) => key === name) ||
    beginnings.some((beginning) => key.startsWith(beginning))
  )
}

/** A Connection field may name any field, but not talk a gateway out of the length of the body. */
function isDropped(key: string, named: ReadonlySet<string>): boolean {
  return named.has(key) && key !== 'content-length' && key !== 'host'
}

function connectionOptions(raw: readonly string[]): ReadonlySet<string> {
  const options = raw.flatMap((value, index) =>
    index % 2 === 1 && raw[index - 1]?.toLowerCase() === 'connection' ? value.toLowerCase().split(',') : [],
  )
  return new Set(options.map((option) => option.trim()))
}
