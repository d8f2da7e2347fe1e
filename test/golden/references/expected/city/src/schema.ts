import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where City is stored. */
export const cityTable = pgTable('city', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  name: text('name').notNull(),
})
