import type { Drizzle } from './database.ts'
import * as itemStatements from './statements/item.ts'
import * as sealStatements from './statements/seal.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    item: itemStatements.prepare(drizzle),
    seal: sealStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
