import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Customer is stored. */
export const customerTable = pgTable('customer', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  loyalty: integer('loyalty').notNull(),
})
