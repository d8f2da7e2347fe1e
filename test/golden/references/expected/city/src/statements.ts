import type { Drizzle } from './database.ts'
import * as cityStatements from './statements/city.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    city: cityStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
