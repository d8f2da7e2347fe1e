import { setTimeout as sleep } from 'node:timers/promises'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Dispatcher, Pool } from 'undici'
import type { z } from 'zod'
import { warnOfCall } from './database.ts'
import { NOT_SERVING, unauthorized, unavailable } from './errors.ts'
import { ofRequest } from './log.ts'
import type { Page } from './queries.ts'
import { traceCall } from './traces.ts'
import { isUuid, NIL_UUID } from './values.ts'

/** Who calls; `undefined` without authentication. */
export type Caller = { readonly token: string } | undefined

/** Some of the attributes of a request. */
export type Patch<Request extends z.ZodType> = Partial<z.input<Request>>

type Method = Dispatcher.HttpMethod
/** Headers of a request, and what reads the text of its response. */
type Extras = { headers: object; read: (text: string, headers: { etag?: unknown }) => unknown }

/** The pause before each attempt. There are several, because all pooled connections break when a service restarts. */
const PAUSES_MS = [0, 0, 50, 100, 150]

/** What only reads, although it has a body. */
const READS: ReadonlySet<string> = new Set(['/references', '/read-many'])
/** The largest number of ids in one request. */
const MAX_IDS = 100

/** Creates a client for the internal port of a service. It passes the caller's token on, so that access rules apply. */
export function clientOf(name: string, url: string, timeoutMs: number) {
  // The signal of a request would cost half as much as the request.
  const timeouts = { connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const pool = new Pool(url, { connections: 128, ...timeouts })

  /** Sends a request, again if the service has not handled it or, for requests that only read, if it failed. */
  const send = <Content>(method: Method, path: string, caller: Caller, body?: unknown, extras?: Extras) =>
    traceCall(method, name, async (trace) => {
      warnOfCall(name)
      const deadline = performance.now() + timeoutMs
      const authorization = caller && `Bearer ${caller.token}`
      const headers = { authorization, 'x-request-id': ofRequest('requestId'), ...trace, ...extras?.headers }
      const request = { method, path, headers, body: JSON.stringify(body) }
      const onlyReads = method === 'GET' || READS.has(path)
      for (const pause of PAUSES_MS) {
        if (pause > 0) await sleep(pause)
        try {
          return (await receive(await pool.request(request), extras)) as Content | undefined
        } catch (error) {
          const status = error instanceof HTTPException ? error.status : 503
          if (status < 500) throw error
          const isHandled = !(error instanceof HTTPException && error.message === NOT_SERVING)
          if (status !== 503 || (isHandled && !onlyReads) || performance.now() > deadline) break
        }
      }
      throw unavailable(name)
    })

  const unknown = async (ids: readonly string[], caller: Caller): Promise<readonly string[]> =>
    (await send<{ unknown: string[] }>('POST', '/references', caller, { ids }))?.unknown ?? ids

  return {
    send,
    /** As a target of references: tells which ids do not exist or may not be read by the caller. */
    references: {
      name,
      unknown,
      exists: async (id: string, caller: Caller) => (await unknown([id], caller)).length === 0,
    },

    /** Returns the entities that the response has under the key. */
    async list<Public>(path: string, key: string, page: Page, caller: Caller) {
      const query = new URLSearchParams()
      // Nothing is in an empty list. By itself, the text `null` would ask for entities without a value.
      if (Object.values(page).some((value) => Array.isArray(value) && value.length === 0)) return []
      for (const [parameter, value] of Object.entries(page))
        if (value !== undefined) query.set(value === 'null' ? `${parameter}[in]` : parameter, String(value))
      return (await send<Record<string, Public[]>>('GET', `${path}?${query.toString()}`, caller))?.[key]
    },

    /** Returns those of the entities that exist and that the caller may read, with few requests. */
    async readMany<Public>(ids: readonly string[], caller: Caller): Promise<Public[]> {
      const found: Public[] = []
      const known = Array.from(new Set(ids.filter(isUuid)))
      for (let at = 0; at < known.length; at += MAX_IDS) {
        const request = { ids: known.slice(at, at + MAX_IDS) }
        found.push(
          ...((await send<{ entities: Public[] }>('POST', '/read-many', caller, request))?.entities ?? []),
        )
      }
      return found
    },

    /** Returns the id of the deleted entity. */
    delete: async (path: string, caller: Caller, extras?: Extras) =>
      (await send('DELETE', path, caller, undefined, extras)) === undefined
        ? undefined
        : path.split('/').at(-1),
  }
}

/** Returns the body, or the id that the response redirects to; `undefined` for 404. */
async function receive({ statusCode, headers, body }: Dispatcher.ResponseData, extras?: Extras) {
  const text = await body.text()
  if (statusCode === 302) return headers['location']?.toString().split('/').at(-1)
  if (statusCode === 404) return undefined
  if (statusCode === 401) throw unauthorized()
  if (statusCode < 300) return extras === undefined ? JSON.parse(text) : extras.read(text, headers)
  throw new HTTPException(statusCode as ContentfulStatusCode, { message: errorIn(text) })
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

/** A path with ids. Malformed ones are replaced by the nil UUID, so that they find nothing. */
export const path = (literals: TemplateStringsArray, ...ids: readonly string[]) =>
  String.raw(literals, ...ids.map((id) => (isUuid(id) ? id : NIL_UUID)))
