import type { Drizzle } from './database.ts'
import * as errorStatements from './statements/error.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    error: errorStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
