import type { Drizzle } from './database.ts'
import * as homeStatements from './statements/home.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    home: homeStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
