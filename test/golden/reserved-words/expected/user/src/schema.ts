import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where User is stored. */
export const userTable = pgTable('user', {
  id: uuid('id').primaryKey(),
  order: text('order').notNull(),
})
