import type { Drizzle } from './database.ts'
import * as topicStatements from './statements/topic.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    topic: topicStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
