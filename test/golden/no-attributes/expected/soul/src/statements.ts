import type { Drizzle } from './database.ts'
import * as soulStatements from './statements/soul.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    soul: soulStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
