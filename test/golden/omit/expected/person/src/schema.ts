import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Person is stored. */
export const personTable = pgTable('person', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
})
