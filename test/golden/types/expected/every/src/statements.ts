import type { Drizzle } from './database.ts'
import * as everyStatements from './statements/every.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    every: everyStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
