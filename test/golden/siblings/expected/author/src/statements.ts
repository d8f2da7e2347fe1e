import type { Drizzle } from './database.ts'
import * as authorStatements from './statements/author.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    author: authorStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
