import { and, eq, sql } from 'drizzle-orm'
import { type Database, ticket } from './schema.ts'

/** Queries that `env.datastore` has beside the generated ones. */
export const queries = (db: Database) => ({
  /** Returns the assignee of a ticket, whom nobody else can change until the transaction ends. */
  async lockAssignee(id: string): Promise<string | null> {
    const { assignee } = ticket
    const [found] = await db.select({ assignee }).from(ticket).where(eq(ticket.id, id)).for('update')
    return found?.assignee ?? null
  },

  /** Makes an open ticket wait for the customer. It sets nothing else, so that no edit at the same time is lost. */
  async markAnswered(id: string): Promise<void> {
    const answeredAt = sql`coalesce(${ticket.answeredAt}, now())`
    const status = sql`CASE ${ticket.status} WHEN 'open' THEN 'pending' ELSE ${ticket.status} END`
    await db.update(ticket).set({ answeredAt, status }).where(eq(ticket.id, id))
  },

  /** Closes a ticket, unless it has been opened again. */
  async closeSolved(id: string): Promise<void> {
    const isSolved = and(eq(ticket.id, id), eq(ticket.status, 'solved'))
    await db.update(ticket).set({ status: 'closed' }).where(isSolved)
  },
})
