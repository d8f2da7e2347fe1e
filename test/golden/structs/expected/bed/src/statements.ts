import type { Drizzle } from './database.ts'
import * as bedStatements from './statements/bed.ts'
import * as plantStatements from './statements/plant.ts'
import * as wateringStatements from './statements/watering.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    bed: bedStatements.prepare(drizzle),
    plant: plantStatements.prepare(drizzle),
    watering: wateringStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
