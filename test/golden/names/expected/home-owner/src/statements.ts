import type { Drizzle } from './database.ts'
import * as homeOwnerStatements from './statements/home-owner.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    homeOwner: homeOwnerStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
