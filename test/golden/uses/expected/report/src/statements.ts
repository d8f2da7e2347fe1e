import type { Drizzle } from './database.ts'
import * as reportStatements from './statements/report.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    report: reportStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
