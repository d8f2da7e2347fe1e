import { type ReceivedResponse, type Exchange, ViolationError } from './exchange.ts'
import { isObject, type Json, parseJson } from '../json.ts'

/** What a response must have. Omitted members are not compared. */
export interface Expectation {
  readonly status: number
  /** The whole body. The order of keys matters. */
  readonly body?: Json
  /** The text, or a pattern, of a body `{"error": ...}`. */
  readonly error?: string | RegExp
  /** The text of the gateway's body `{"message": ...}`. */
  readonly message?: string
  /** Values by lower-case name. `undefined`: the header must be absent. */
  readonly headers?: Readonly<Record<string, string | RegExp | undefined>>
}

/** Compares a response with an expectation. Throws `ViolationError` with the whole expectation. */
export function expectResponse(exchange: Exchange, expectation: Expectation): void {
  if (!meets(exchange.response, expectation)) throw new ViolationError(exchange, describe(expectation))
}

/** Throws `ViolationError` unless the condition holds. `expected` completes the sentence "expected ...". */
export function expectThat(holds: boolean, exchange: Exchange | undefined, expected: string): void {
  if (!holds) throw new ViolationError(exchange, expected)
}

/** Returns the body as an object. Throws `ViolationError` if it is not one. */
export function objectOf(exchange: Exchange): { readonly [key: string]: Json } {
  const body = parseJson(exchange.response.text)
  if (!isObject(body)) throw new ViolationError(exchange, 'a JSON object')
  return body
}

/** Returns a string member of the body. Throws `ViolationError` if there is none. */
export function stringOf(exchange: Exchange, key: string): string {
  const value = objectOf(exchange)[key]
  if (typeof value !== 'string') throw new ViolationError(exchange, `a string under the key \`${key}\``)
  return value
}

function meets(
  response: ReceivedResponse,
  { status, body, error, message, headers = {} }: Expectation,
): boolean {
  if (response.status !== status) return false
  const actual = parseJson(response.text)
  if (body !== undefined && JSON.stringify(actual) !== JSON.stringify(body)) return false
  if (message !== undefined && JSON.stringify(actual) !== JSON.stringify({ message })) return false
  if (error !== undefined) {
    const text = isObject(actual) ? actual['error'] : undefined
    if (typeof text !== 'string' || !(typeof error === 'string' ? text === error : error.test(text)))
      return false
  }
  return Object.entries(headers).every(([name, wanted]) => {
    const value = response.headers[name]
    if (wanted === undefined || value === undefined) return wanted === value
    return typeof wanted === 'string' ? value === wanted : wanted.test(value)
  })
}

function describe({ status, body, error, message, headers = {} }: Expectation): string {
  const parts = [String(status)]
  for (const [name, value] of Object.entries(headers)) parts.push(`${name}: ${value ?? '(absent)'}`)
  if (body !== undefined) parts.push(JSON.stringify(body))
  if (message !== undefined) parts.push(JSON.stringify({ message }))
  if (error !== undefined)
    parts.push(typeof error === 'string' ? JSON.stringify({ error }) : `{"error": ${error}}`)
  return parts.join(' ')
}
