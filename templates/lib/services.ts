import { setTimeout as sleep } from 'node:timers/promises'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Dispatcher, Pool } from 'undici'
import { NOT_SERVING, unauthorized, unavailable } from './errors.ts'
import { requestId } from './log.ts'
import type { Page } from './queries.ts'
import { type TraceHeaders, traceCall } from './traces.ts'
import { isUuid, NIL_UUID } from './values.ts'

/** Who calls; `undefined` without authentication. */
export type Caller = { readonly token: string } | undefined
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const TIMEOUT_MS = 2000
const MAX_CONNECTIONS = 128
/** While a service restarts, several pooled connections may break. */
const ATTEMPTS = 5
const RETRY_PAUSE_MS = 50

/** Another service, called on its internal port with the caller's token, so that access rules and hooks apply. */
export class ServiceClient {
  /** As declared. */
  readonly #name: string
  readonly #pool: Pool

  constructor(name: string, url: string) {
    this.#name = name
    this.#pool = new Pool(url, { connections: MAX_CONNECTIONS })
  }

  /** As a target of references: tells which ids do not exist or may not be read by the caller. */
  references() {
    const unknown = async (ids: readonly string[], caller: Caller): Promise<readonly string[]> =>
      (await this.send<{ unknown: string[] }>('POST', '/references', caller, { ids }))?.unknown ?? ids
    const exists = async (id: string, caller: Caller) => (await unknown([id], caller)).length === 0
    return { name: this.#name, unknown, exists }
  }

  /** Returns the entities that the response has under the key. */
  async list<Public>(path: string, key: string, page: Page, caller: Caller) {
    const given = Object.entries(page).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
    const response = await this.send<Record<string, Public[]>>('GET', `${path}?${query.toString()}`, caller)
    return response?.[key]
  }

  /** Returns the id of the deleted entity. */
  async delete(path: string, caller: Caller) {
    const deleted = await this.send('DELETE', path, caller)
    return deleted === undefined ? undefined : lastSegment(path)
  }

  /** Returns the id of the caller's own entity. */
  async identify(path: string, caller: Caller) {
    const location = await this.send<string>('GET', path, caller)
    return location === undefined ? undefined : lastSegment(location)
  }

  /** Sends a request, again if the service has not handled it or, for requests that only read, if it failed. */
  send<Content>(method: Method, path: string, caller: Caller, body?: unknown) {
    return traceCall(method, this.#name, (trace) => this.#send<Content>(method, path, caller, body, trace))
  }

  async #send<Content>(method: Method, path: string, caller: Caller, body: unknown, trace?: TraceHeaders) {
    const id = requestId()
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const headers = {
      ...(caller !== undefined && { authorization: `Bearer ${caller.token}` }),
      ...(id !== undefined && { 'x-request-id': id }),
      ...trace,
    }
    const request = { method, path, headers, signal, body: body === undefined ? null : JSON.stringify(body) }
    const onlyReads = method === 'GET' || path === '/references'
    for (let attempt = 1; attempt <= ATTEMPTS && !signal.aborted; attempt++) {
      // The first retry is immediate.
      if (attempt > 2) await sleep((attempt - 2) * RETRY_PAUSE_MS)
      try {
        return (await this.#receive(request)) as Content | undefined
      } catch (error) {
        if (error instanceof HTTPException && error.status < 500) throw error
        const isUnhandled = error instanceof HTTPException && error.message === NOT_SERVING
        const isRetried = onlyReads && !(error instanceof HTTPException && error.status !== 503)
        if (!isUnhandled && !isRetried) break
      }
    }
    throw unavailable(this.#name)
  }

  /** Returns the body, or the address that the response redirects to; `undefined` for 404. */
  async #receive(request: Dispatcher.RequestOptions): Promise<unknown> {
    const { statusCode, headers, body } = await this.#pool.request(request)
    const text = await body.text()
    if (statusCode === 302) return headers['location']
    if (statusCode === 404) return undefined
    if (statusCode === 401) throw unauthorized()
    if (statusCode < 300) return JSON.parse(text)
    throw new HTTPException(statusCode as ContentfulStatusCode, { message: errorIn(text) })
  }
}

/** The message of an error response. Hooks can respond in another form. */
function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text)
    return typeof error === 'string' ? error : text
  } catch {
    return text
  }
}

const lastSegment = (path: string) => path.split('/').at(-1)

/** A path with ids. Malformed ones are replaced by the nil UUID, so that they find nothing. */
export const path = (literals: TemplateStringsArray, ...ids: readonly string[]) =>
  String.raw(literals, ...ids.map((id) => (isUuid(id) ? id : NIL_UUID)))
