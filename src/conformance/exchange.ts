/** A request and its response. */
export interface Exchange {
  readonly request: SentRequest
  readonly response: ReceivedResponse
}

/** A request as it was sent. */
export interface SentRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly path: string
  /** Headers except the user's token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** Name of the user; `undefined` without a token. */
  readonly as: string | undefined
}

/** A response as it was received. */
export interface ReceivedResponse {
  readonly status: number
  /** Values by lower-case name. Repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A difference between a platform and its definition. */
export interface Violation {
  /** The request that shows it; `undefined` if no single one does. */
  readonly exchange: Exchange | undefined
  readonly expected: string
}

/** Ends a check that found a violation. */
export class ViolationError extends Error {
  readonly violation: Violation
  constructor(exchange: Exchange | undefined, expected: string) {
    super(expected)
    this.violation = { exchange, expected }
  }
}

/** Ends a check that the platform's data does not allow, for example because a `@unique` range is used up. */
export class SkipError extends Error {}

/** Maximum length of a body in reports, in UTF-16 units. */
const SHOWN = 400

/** Formats a request on one line: `POST /api/home as Alice {"name":"a"}`. */
export function showRequest({ method, path, headers, body, as }: SentRequest): string {
  const parts = [method, shorten(path)]
  if (as !== undefined) parts.push(`as ${as}`)
  for (const [name, value] of Object.entries(headers)) parts.push(`${name}: ${shorten(value)}`)
  if (body !== undefined) parts.push(showBody(body))
  return parts.join(' ')
}

/** Formats a response on one line: status, important headers, body. */
export function showResponse({ status, headers, text }: ReceivedResponse): string {
  const parts = [String(status)]
  for (const name of [
    'location',
    'link',
    'allow',
    'etag',
    'cache-control',
    'www-authenticate',
    'content-type',
  ])
    if (headers[name] !== undefined) parts.push(`${name}: ${headers[name]}`)
  parts.push(text === '' ? '(no body)' : shorten(text))
  return parts.join(' ')
}

function showBody(body: string | Uint8Array): string {
  if (typeof body === 'string') return shorten(body)
  return `(${body.length} bytes: ${shorten(Buffer.from(body.subarray(0, SHOWN)).toString('latin1'))})`
}

/** Shortens text and escapes control characters, so that a response cannot control the terminal. */
function shorten(text: string): string {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}... (${text.length} characters)` : text
  let safe = ''
  for (const character of shown) {
    const code = character.codePointAt(0) ?? 0
    safe += code < 32 || (code >= 127 && code < 160) ? `\\u${code.toString(16).padStart(4, '0')}` : character
  }
  return safe
}
