import type { Drizzle } from './database.ts'
import * as listOnlyStatements from './statements/list-only.ts'
import * as ghostStatements from './statements/ghost.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    listOnly: listOnlyStatements.prepare(drizzle),
    ghost: ghostStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
