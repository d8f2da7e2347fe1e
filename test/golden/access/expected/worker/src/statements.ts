import type { Drizzle } from './database.ts'
import * as workerStatements from './statements/worker.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    worker: workerStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
