import type { Database } from './schema.ts'

/** Queries that `env.datastore` has besides the generated ones. This file is yours: Portico never overwrites it. */
export const queries = (_db: Database) => ({})
