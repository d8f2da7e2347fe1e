import type { Drizzle } from './database.ts'
import * as purchaseStatements from './statements/purchase.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    purchase: purchaseStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
