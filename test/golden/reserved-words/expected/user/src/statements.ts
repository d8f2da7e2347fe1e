import type { Drizzle } from './database.ts'
import * as userStatements from './statements/user.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    user: userStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
