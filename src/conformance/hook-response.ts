import { isObject, parseJson } from '../json.ts'
import { isServiceText } from '../model/error-texts.ts'
import type { Violation } from './exchange.ts'

/** An error response that only the user's code can have sent. */
export interface HookResponse {
  /** The request, with `{id}` in place of ids: `PUT /api/home/{id}`. */
  readonly request: string
  readonly status: number
  /** The message. */
  readonly error: string
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Returns the response of a hook in place of the expected one; `undefined` if generated code sent it. */
export function hookResponse({ exchange }: Violation): HookResponse | undefined {
  if (!exchange || exchange.response.status < 400 || exchange.response.status >= 500) return undefined
  const body = parseJson(exchange.response.text)
  const error = isObject(body) ? body['error'] : undefined
  if (typeof error !== 'string' || isServiceText(error)) return undefined
  const { method, path } = exchange.request
  const request = `${method} ${path.replace(/\?.*/s, '').replaceAll(ID, '{id}')}`
  return { request, status: exchange.response.status, error }
}
