import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Pool, PoolClient } from 'pg'
import type { Query } from './database.ts'

/** Called with each request of all APIs after its response, with its duration. */
export const responseListeners: ((c: Context, seconds: number) => void)[] = []

/** The route that handles a request. Middleware is registered for all methods. */
export const matchedRoute = (c: Context) => matchedRoutes(c).find(({ method }) => method !== 'ALL')

/**
 * Calls a function with the text of each statement, when it is sent. The function that it
 * returns is called when the result arrives, with the error if there is one.
 */
export function observeStatements(pool: Pool, observe: (text: string) => (error?: unknown) => void): void {
  pool.on('connect', (client: PoolClient) => {
    const query: Query = client.query.bind(client)
    const observed: Query = (statement, values, callback) => {
      const end = observe(typeof statement === 'string' ? statement : statement.text)
      // The pool passes a callback, transactions await a promise.
      if (callback !== undefined)
        return query(statement, values, (error, result) => {
          end(error ?? undefined)
          callback(error, result)
        })
      const result = query(statement, values)
      if (result instanceof Promise) result.then(() => end(), end)
      return result
    }
    Object.assign(client, { query: observed })
  })
}
