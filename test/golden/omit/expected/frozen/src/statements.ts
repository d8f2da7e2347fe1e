import type { Drizzle } from './database.ts'
import * as frozenStatements from './statements/frozen.ts'
import * as logStatements from './statements/log.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    frozen: frozenStatements.prepare(drizzle),
    log: logStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
