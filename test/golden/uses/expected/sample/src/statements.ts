import type { Drizzle } from './database.ts'
import * as sampleStatements from './statements/sample.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    sample: sampleStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
