import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Reader is stored. */
export const readerTable = pgTable('reader', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
})
