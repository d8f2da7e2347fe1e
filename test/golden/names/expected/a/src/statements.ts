import type { Drizzle } from './database.ts'
import * as aStatements from './statements/a.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    a: aStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
