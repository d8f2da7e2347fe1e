import type { Drizzle } from './database.ts'
import * as objectStatements from './statements/object.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    object: objectStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
