import type { Drizzle } from './database.ts'
import * as stringStatements from './statements/string.ts'
import * as mapStatements from './statements/map.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    string: stringStatements.prepare(drizzle),
    map: mapStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
