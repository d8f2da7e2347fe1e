import { sql } from 'drizzle-orm'
import type { Database } from './schema.ts'

/** Queries that `env.datastore` has beside the generated ones. */
export const queries = (db: Database) => ({
  /** Makes other registrations wait until the transaction ends, so that only one of them is the first. */
  async lockRegistration(): Promise<void> {
    await db.execute(sql`SELECT pg_advisory_xact_lock(1)`)
  },
})
