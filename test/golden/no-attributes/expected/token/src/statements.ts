import type { Drizzle } from './database.ts'
import * as tokenStatements from './statements/token.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    token: tokenStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
