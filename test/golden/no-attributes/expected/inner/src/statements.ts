import type { Drizzle } from './database.ts'
import * as innerStatements from './statements/inner.ts'
import * as emptyStatements from './statements/empty.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    inner: innerStatements.prepare(drizzle),
    empty: emptyStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
