import { isMainThread } from 'node:worker_threads'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { tryGetContext } from 'hono/context-storage'
import { DatabaseError } from 'pg'
import { destination, type Logger, pino } from 'pino'
import type { ApiEnv } from './api.ts'

/** Writes JSON lines with the ids of the request that is being handled and of its trace. Errors go into `err`. */
export type Log = Logger

/** Creates the log of a service. */
export function createLog(service: string, level = 'info'): Log {
  return pino(
    {
      level,
      base: { service },
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => ({
        requestId: ofRequest('requestId'),
        traceId: ofRequest('trace')?.traceparent.slice(3, 35),
      }),
      serializers: { err: (described: unknown) => described },
      hooks: {
        // Before pino, which would write the message of an error.
        logMethod([first, ...rest], log) {
          log.apply(this, [describeErrors(first), ...rest])
        },
      },
    },
    // Lines are collected, because one write for each would cost more than everything else about them. The output of
    // a worker thread belongs to the thread that started it.
    isMainThread ? destination({ minLength: 4096, periodicFlush: 250, sync: false }) : process.stdout,
  )
}

/** A variable of the request that is being handled, if any. */
export const ofRequest = <Name extends 'requestId' | 'trace'>(name: Name) =>
  tryGetContext<{ Variables: Partial<ApiEnv['Variables']> }>()?.get(name)

/** The first argument of a log call, with what the log may contain of errors. Anything thrown is logged as `err`. */
function describeErrors(value: unknown): unknown {
  if (value instanceof Error) return { err: describe(value) }
  if (typeof value !== 'object' || value === null) return value
  const errors = Object.entries(value).filter(([name, each]) => name === 'err' || each instanceof Error)
  if (errors.length === 0) return value
  return { ...value, ...Object.fromEntries(errors.map(([name, error]) => [name, describe(error)])) }
}

/** Leaves out messages that quote values of clients, also in stacks: those of Drizzle, Postgres and `JSON.parse`. */
export function describe(error: unknown, causes = 8): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name: type, message } = error
  const [stack] = error.stack?.replace(message, '').match(/(?:^ {4}at .+\n?)+/m) ?? []
  if (error instanceof DrizzleQueryError) return { ...describe(error.cause), stack, query: error.query }
  if (error instanceof DatabaseError) {
    const { code = '', constraint, table, column } = error
    // Errors of these classes are about connections, names, conflicts and timeouts, so their messages contain no values.
    const isHarmless = /^(?:08|28|3D|40|42|53|57)/.test(code)
    return { type, code, constraint, table, column, ...(isHarmless && { message }), stack }
  }
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined || causes === 0 ? undefined : describe(error.cause, causes - 1)
  return { type, code, ...(!(error instanceof SyntaxError) && { message }), stack, cause }
}
