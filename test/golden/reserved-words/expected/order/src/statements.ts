import type { Drizzle } from './database.ts'
import * as orderStatements from './statements/order.ts'
import * as groupStatements from './statements/group.ts'
import * as checkStatements from './statements/check.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    order: orderStatements.prepare(drizzle),
    group: groupStatements.prepare(drizzle),
    check: checkStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
