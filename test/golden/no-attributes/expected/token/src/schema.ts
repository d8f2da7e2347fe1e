import { pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where Token is stored. */
export const tokenTable = pgTable('token', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
})
