import type { Drizzle } from './database.ts'
import * as stationStatements from './statements/station.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    station: stationStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
