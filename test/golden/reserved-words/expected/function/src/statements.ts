import type { Drizzle } from './database.ts'
import * as functionStatements from './statements/function.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    function: functionStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
