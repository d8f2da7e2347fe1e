import type { Pool, PoolClient } from 'pg'

type Query = (...parameters: unknown[]) => unknown

/**
 * Calls a function with the text of each statement, when it is sent or queued on its connection. The function that it
 * returns is called when the result is there, with the error if there is one.
 */
export function observeStatements(pool: Pool, observe: (text: string) => (error?: unknown) => void): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as Query
    const observed: Query = (statement, values, callback) => {
      const end = observe(String(typeof statement === 'string' ? statement : Object(statement).text))
      // The pool passes a callback, transactions await a promise.
      if (typeof callback === 'function')
        return query(statement, values, (error: unknown, result: unknown) => {
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
