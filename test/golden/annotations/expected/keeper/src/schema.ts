import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Keeper is stored. */
export const keeperTable = pgTable('keeper', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
})
