import type { Drizzle } from './database.ts'
import * as boardStatements from './statements/board.ts'
import * as pinStatements from './statements/pin.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    board: boardStatements.prepare(drizzle),
    pin: pinStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
