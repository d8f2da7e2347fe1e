import type { Drizzle } from './database.ts'
import * as promiseStatements from './statements/promise.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    promise: promiseStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
