import { and, eq, gt, lt, ne, sql } from 'drizzle-orm'
import { type Database, stay } from './schema.ts'

/** Queries that `env.datastore` has beside the generated ones. */
export const queries = (db: Database) => ({
  /** Makes other bookings of the home wait until the transaction ends. */
  async lockHome(home: string): Promise<void> {
    await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${home}, 0))`)
  },

  /** Returns whether another stay in the same home has a night in common with this one. */
  async isBooked(wanted: { id: string; home: string; arrival: string; departure: string }): Promise<boolean> {
    const overlaps = and(lt(stay.arrival, wanted.departure), gt(stay.departure, wanted.arrival))
    const [other] = await db
      .select({ id: stay.id })
      .from(stay)
      .where(and(eq(stay.home, wanted.home), ne(stay.id, wanted.id), overlaps))
      .limit(1)
    return other !== undefined
  },
})
