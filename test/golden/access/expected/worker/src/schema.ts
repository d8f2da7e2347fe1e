import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Worker is stored. */
export const workerTable = pgTable('worker', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
})
