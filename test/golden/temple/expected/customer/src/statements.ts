import type { Drizzle } from './database.ts'
import * as customerStatements from './statements/customer.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    customer: customerStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
