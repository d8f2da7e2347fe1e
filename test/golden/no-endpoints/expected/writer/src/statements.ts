import type { Drizzle } from './database.ts'
import * as writerStatements from './statements/writer.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    writer: writerStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
