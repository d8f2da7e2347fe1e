import type { Drizzle } from './database.ts'
import * as hooksStatements from './statements/hooks.ts'
import * as logStatements from './statements/log.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    hooks: hooksStatements.prepare(drizzle),
    log: logStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
