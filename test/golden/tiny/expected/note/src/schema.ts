import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Note is stored. */
export const noteTable = pgTable('note', {
  id: uuid('id').primaryKey(),
  text: text('text').notNull(),
})
