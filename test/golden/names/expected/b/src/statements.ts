import type { Drizzle } from './database.ts'
import * as bStatements from './statements/b.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    b: bStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
