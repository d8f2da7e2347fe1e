import type { Drizzle } from './database.ts'
import * as drawingStatements from './statements/drawing.ts'
import * as nodeStatements from './statements/node.ts'
import * as edgeStatements from './statements/edge.ts'
import * as noteStatements from './statements/note.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    drawing: drawingStatements.prepare(drizzle),
    node: nodeStatements.prepare(drizzle),
    edge: edgeStatements.prepare(drizzle),
    note: noteStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
