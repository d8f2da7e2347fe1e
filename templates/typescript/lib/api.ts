import type { HttpBindings } from '@hono/node-server'
import { type ErrorHandler, Hono } from 'hono'
import { contextStorage } from 'hono/context-storage'
import { HTTPException } from 'hono/http-exception'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { databaseError, isUnavailable } from './database.ts'
import { unavailable } from './errors.ts'
import type { Log } from './log.ts'
import { responseListeners } from './observe.ts'
import { type TraceHeaders, traceRequest } from './traces.ts'

/** The context of every handler. */
export interface ApiEnv {
  /** `c.env` is undefined in tests that call the API without a server. */
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    /** Who sent the request, if it has a valid token. */
    caller?: { readonly id: string } | undefined
    /** Headers for requests to other services, so that they continue the trace. */
    trace: TraceHeaders
    /** Responds with the status and `{"error": message}`. */
    fail: (status: ContentfulStatusCode, message: string) => Response
  }
}

/** Messages by the names of constraints. */
export type Conflicts = Record<string, string>

interface ApiOptions {
  /** The service as declared. */
  readonly service: string
  /** The message for each constraint of the database that a request can violate. */
  readonly conflicts?: Conflicts
  readonly log: Log
}

/** What a violated constraint tells the client, by SQLSTATE: unique and exclusion constraints, checks and foreign keys. */
const VIOLATIONS: Readonly<Record<string, readonly [409 | 400, string]>> = {
  '23505': [409, 'Conflict'],
  '23P01': [409, 'Conflict'],
  '23514': [400, 'Invalid request'],
  '23503': [400, 'Invalid request'],
}

/** The status and the message for the violation of a constraint that a request can violate. */
export function violation(error: unknown, conflicts: Conflicts) {
  const { code = '', constraint } = databaseError(error) ?? {}
  const [status, text] = VIOLATIONS[code] ?? []
  if (status === undefined || constraint === undefined) return undefined
  // Only generated constraints have `__` in their names. The service has checked what most of them check.
  const standard = constraint.includes('__') ? undefined : text
  const message = Object.hasOwn(conflicts, constraint) ? conflicts[constraint] : standard
  return message === undefined ? undefined : ([{ error: message }, status] as const)
}

/** Turns what handlers and hooks throw into responses. Details of failures go only to the log. */
const errorHandler =
  ({ service, conflicts = {}, log }: ApiOptions): ErrorHandler<ApiEnv> =>
  (error, c) => {
    if (error instanceof HTTPException) {
      return error.res === undefined ? c.json({ error: error.message }, error.status) : error.getResponse()
    }
    const violated = violation(error, conflicts)
    if (violated !== undefined) return c.json(...violated)
    if (isUnavailable(error)) {
      log.warn({ err: error }, 'Database unavailable')
      return unavailable(service).getResponse()
    }
    // The client has closed the connection before its body was complete.
    if (c.env?.incoming?.readableAborted === true) return c.json({ error: 'Request aborted' }, 400)
    log.error({ err: error }, 'Request failed')
    return c.json({ error: 'Internal server error' }, 500)
  }

/** Creates an API with everything that comes before its routes. */
export function createApi(options: ApiOptions) {
  const { log } = options
  const api = new Hono<ApiEnv>()
  api.onError(errorHandler(options))
  api.notFound((c) => c.json({ error: 'Not found' }, 404))
  return api
    .use(contextStorage(), requestId(), traceRequest)
    .use(async (c, next) => {
      const started = performance.now()
      c.header('Cache-Control', 'no-store')
      c.set('fail', (status, message) => c.json({ error: message }, status))
      await next()
      const durationMs = Math.round((performance.now() - started) * 1000) / 1000
      const { method, path } = c.req
      log.info({ method, path, status: c.res.status, durationMs, user: c.var.caller?.id }, 'request')
      for (const listener of responseListeners) listener(c, durationMs / 1000)
    })
    .use(async (_c, next) => {
      await next().catch((error: unknown) => {
        // Hono responds only to errors, but anything can be thrown.
        throw error instanceof Error ? error : new Error('No error was thrown, but a value', { cause: error })
      })
    })
    .use(
      methodNotAllowed({
        app: api,
        onMethodNotAllowed: (c, methods) =>
          c.json({ error: 'Method not allowed' }, 405, { Allow: methods.join(', ') }),
      }),
    )
}
