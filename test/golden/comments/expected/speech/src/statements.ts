import type { Drizzle } from './database.ts'
import * as speechStatements from './statements/speech.ts'
import * as applauseStatements from './statements/applause.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    speech: speechStatements.prepare(drizzle),
    applause: applauseStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
