/** One request and its answer, as reports show them. */
export interface Exchange {
  readonly request: SentRequest
  readonly answer: Answer
}

/** What was asked. */
export interface SentRequest {
  readonly method: string
  /** Path and query, exactly as they went over the wire. */
  readonly path: string
  /** Headers besides the caller's token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** Who asked, by the name that the run gave them; `undefined` without a token of a user. */
  readonly as: string | undefined
}

/** What came back. */
export interface Answer {
  readonly status: number
  /** Names in lower case; repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Where a platform falls short of what it has to do. */
export interface Shortfall {
  /** The request in question; `undefined` where no single one shows it. */
  readonly exchange: Exchange | undefined
  readonly expected: string
}

/** Ends a check: the platform fell short. */
export class ShortfallError extends Error {
  readonly shortfall: Shortfall
  constructor(exchange: Exchange | undefined, expected: string) {
    super(expected)
    this.shortfall = { exchange, expected }
  }
}

/** Ends a check that the platform's data does not let be made: all values of a `@unique` range taken, for example. */
export class SkipError extends Error {}

/** The longest piece of a body that a report shows, in UTF-16 units. */
const SHOWN = 400

/** The request on one line, and its body: `POST /api/home as Alice {"name":"a"}`. */
export function showRequest({ method, path, headers, body, as }: SentRequest): string {
  const parts = [method, shorten(path)]
  if (as !== undefined) parts.push(`as ${as}`)
  for (const [name, value] of Object.entries(headers)) parts.push(`${name}: ${shorten(value)}`)
  if (body !== undefined) parts.push(showBody(body))
  return parts.join(' ')
}

/** The answer on one line: status, the headers that carry meaning, body. */
export function showAnswer({ status, headers, text }: Answer): string {
  const parts = [String(status)]
  for (const name of ['location', 'link', 'allow', 'cache-control', 'www-authenticate', 'content-type'])
    if (headers[name] !== undefined) parts.push(`${name}: ${headers[name]}`)
  parts.push(text === '' ? '(no body)' : shorten(text))
  return parts.join(' ')
}

function showBody(body: string | Uint8Array): string {
  if (typeof body === 'string') return shorten(body)
  return `(${body.length} bytes: ${shorten(Buffer.from(body.subarray(0, SHOWN)).toString('latin1'))})`
}

/** Control characters escaped, so that nothing a platform answers can act on the terminal. */
function shorten(text: string): string {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}... (${text.length} characters)` : text
  let safe = ''
  for (const character of shown) {
    const code = character.codePointAt(0) ?? 0
    safe += code < 32 || (code >= 127 && code < 160) ? `\\u${code.toString(16).padStart(4, '0')}` : character
  }
  return safe
}
