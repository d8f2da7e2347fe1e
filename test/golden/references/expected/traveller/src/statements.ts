import type { Drizzle } from './database.ts'
import * as travellerStatements from './statements/traveller.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    traveller: travellerStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
