import type { Drizzle } from './database.ts'
import * as productStatements from './statements/product.ts'
import * as reviewStatements from './statements/review.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    product: productStatements.prepare(drizzle),
    review: reviewStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
