import type { Drizzle } from './database.ts'
import * as readOnlyStatements from './statements/read-only.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    readOnly: readOnlyStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
