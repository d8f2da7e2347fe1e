import { eq, sql } from 'drizzle-orm'
import { type Database, line, slot, workOrder } from './schema.ts'

/** Queries that `env.datastore` has beside the generated ones. */
export const queries = (db: Database) => ({
  /** Returns the status of an order, which nobody can change until the transaction ends. */
  async lockStatus(id: string) {
    const { status } = workOrder
    const [found] = await db.select({ status }).from(workOrder).where(eq(workOrder.id, id)).for('share')
    return found?.status
  },

  /** Returns the sum of the lines of an order. Each line is rounded to cents, as it is on the invoice. */
  async total(id: string): Promise<string> {
    const sum = sql<string>`coalesce(sum(round(${line.quantity} * ${line.unitPrice}, 2)), 0)::numeric(38, 2)`
    const [found] = await db.select({ sum }).from(line).where(eq(line.parentId, id))
    return found?.sum ?? '0.00'
  },

  async deleteSlots(id: string): Promise<void> {
    await db.delete(slot).where(eq(slot.parentId, id))
  },
})
