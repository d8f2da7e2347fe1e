import type { Drizzle } from './database.ts'
import * as posterStatements from './statements/poster.ts'
import * as stampStatements from './statements/stamp.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    poster: posterStatements.prepare(drizzle),
    stamp: stampStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
