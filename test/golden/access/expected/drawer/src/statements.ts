import type { Drizzle } from './database.ts'
import * as drawerStatements from './statements/drawer.ts'
import * as paperStatements from './statements/paper.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    drawer: drawerStatements.prepare(drizzle),
    paper: paperStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
