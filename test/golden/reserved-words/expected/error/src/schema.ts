import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Error is stored. */
export const errorTable = pgTable('error', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  message: text('message').notNull(),
  stack: text('stack').notNull(),
})
