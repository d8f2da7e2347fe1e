import type { Env, ErrorHandler, Hono, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { answerError } from './answers.ts'
import { classify } from './database-errors.ts'
import { ServiceError, unavailable } from './errors.ts'
import { errorFields, type Log } from './log.ts'
import { allowedMethods } from './methods.ts'
import type { Bindings } from './server.ts'

/** Turns what a handler throws into an answer; what is nobody's mistake goes to the log, never to the client. */
export function answerFailure<E extends Env & { Bindings: Bindings }>(
  service: string,
  log: Log,
): ErrorHandler<E> {
  return (thrown, c) => {
    const error = classify(thrown).kind === 'unavailable' ? unavailable(service) : thrown
    if (error instanceof ServiceError) return answerError(error.status, error.message, error.headers)
    if (error instanceof HTTPException && error.status < 500) return answerError(error.status, error.message)
    log.error('A request failed', { requestId: c.env.requestId, ...errorFields(error) })
    return answerError(500, 'Internal server error')
  }
}

/** 404 for a path without any route, 405 (RFC 9110, section 15.5.6) for one that has other methods. */
export function answerUnmatched<E extends Env>(api: Hono<E>): NotFoundHandler<E> {
  return (c) => {
    const allowed = allowedMethods(api, c.req.path)
    if (allowed.length === 0 || allowed.includes(c.req.method)) return answerError(404, 'Not found')
    return answerError(405, 'Method not allowed', { Allow: allowed.join(', ') })
  }
}
