import { and, eq, lt, max, sql } from 'drizzle-orm'
import { type Database, invoice } from './schema.ts'

/** Queries that `env.datastore` has beside the generated ones. */
export const queries = (db: Database) => ({
  /** Returns the number after the highest one. Others wait for theirs until the transaction ends, so there are no gaps. */
  async nextNumber(): Promise<number> {
    await db.execute(sql`SELECT pg_advisory_xact_lock(1)`)
    const [found] = await db.select({ last: max(invoice.number) }).from(invoice)
    return (found?.last ?? 0) + 1
  },

  /** Marks the sent invoices that were due before today, in UTC. */
  async markOverdue(): Promise<void> {
    const today = sql`(now() AT TIME ZONE 'UTC')::date`
    const isLate = and(eq(invoice.status, 'sent'), lt(invoice.dueOn, today))
    await db.update(invoice).set({ status: 'overdue' }).where(isLate)
  },
})
