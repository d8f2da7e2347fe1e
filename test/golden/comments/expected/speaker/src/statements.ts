import type { Drizzle } from './database.ts'
import * as speakerStatements from './statements/speaker.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    speaker: speakerStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
