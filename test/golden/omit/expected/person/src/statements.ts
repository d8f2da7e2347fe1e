import type { Drizzle } from './database.ts'
import * as personStatements from './statements/person.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    person: personStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
