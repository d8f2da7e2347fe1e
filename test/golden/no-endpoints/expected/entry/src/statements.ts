import type { Drizzle } from './database.ts'
import * as entryStatements from './statements/entry.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    entry: entryStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
