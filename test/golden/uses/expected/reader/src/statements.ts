import type { Drizzle } from './database.ts'
import * as readerStatements from './statements/reader.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    reader: readerStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
