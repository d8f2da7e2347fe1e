import type { Drizzle } from './database.ts'
import * as draftStatements from './statements/draft.ts'
import * as noteStatements from './statements/note.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    draft: draftStatements.prepare(drizzle),
    note: noteStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
