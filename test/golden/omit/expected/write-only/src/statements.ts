import type { Drizzle } from './database.ts'
import * as writeOnlyStatements from './statements/write-only.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    writeOnly: writeOnlyStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
