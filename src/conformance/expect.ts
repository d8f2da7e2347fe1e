import { type Answer, type Exchange, ShortfallError } from './exchange.ts'
import { isObject, type Json, parseJson } from './json.ts'

/** What an answer has to be. What is left out is not looked at. */
export interface Expectation {
  readonly status: number
  /** The whole body, keys in this order. */
  readonly body?: Json
  /** The whole body is `{"error": ...}`: this text, or one that matches. */
  readonly error?: string | RegExp
  /** The whole body is the gateway's `{"message": ...}`. */
  readonly message?: string
  /** Values by lower-case name; `undefined` for a header that must not be there. */
  readonly headers?: Readonly<Record<string, string | RegExp | undefined>>
}

/** Compares an answer with what it has to be. Throws a `ShortfallError` that says all of the expectation. */
export function expectAnswer(exchange: Exchange, expectation: Expectation): void {
  if (!meets(exchange.answer, expectation)) throw new ShortfallError(exchange, describe(expectation))
}

/** Fails unless it holds; `expected` is what the platform has to do. */
export function expectThat(holds: boolean, exchange: Exchange | undefined, expected: string): void {
  if (!holds) throw new ShortfallError(exchange, expected)
}

/** The body as an object. Throws a `ShortfallError` for any other. */
export function objectOf(exchange: Exchange): { readonly [key: string]: Json } {
  const body = parseJson(exchange.answer.text)
  if (!isObject(body)) throw new ShortfallError(exchange, 'a JSON object')
  return body
}

/** A string member of the body. Throws a `ShortfallError` where there is none. */
export function stringOf(exchange: Exchange, key: string): string {
  const value = objectOf(exchange)[key]
  if (typeof value !== 'string') throw new ShortfallError(exchange, `a string under the key \`${key}\``)
  return value
}

function meets(answer: Answer, { status, body, error, message, headers = {} }: Expectation): boolean {
  if (answer.status !== status) return false
  const actual = parseJson(answer.text)
  if (body !== undefined && JSON.stringify(actual) !== JSON.stringify(body)) return false
  if (message !== undefined && JSON.stringify(actual) !== JSON.stringify({ message })) return false
  if (error !== undefined) {
    const text = isObject(actual) ? actual['error'] : undefined
    if (typeof text !== 'string' || !(typeof error === 'string' ? text === error : error.test(text)))
      return false
  }
  return Object.entries(headers).every(([name, wanted]) => {
    const value = answer.headers[name]
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
