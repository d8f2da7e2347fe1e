import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Writer is stored. */
export const writerTable = pgTable('writer', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
})
