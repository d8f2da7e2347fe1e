import type { Drizzle } from './database.ts'
import * as keeperStatements from './statements/keeper.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    keeper: keeperStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
