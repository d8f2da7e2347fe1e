import type { Drizzle } from './database.ts'
import * as dateStatements from './statements/date.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    date: dateStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
