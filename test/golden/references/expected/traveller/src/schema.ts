import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Traveller is stored. */
export const travellerTable = pgTable('traveller', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
})
