import type { Drizzle } from './database.ts'
import * as trainStatements from './statements/train.ts'
import * as seatStatements from './statements/seat.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    train: trainStatements.prepare(drizzle),
    seat: seatStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
