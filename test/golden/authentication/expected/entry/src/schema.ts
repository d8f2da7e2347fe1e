import { date, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Entry is stored. */
export const entryTable = pgTable('entry', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  written: date('written').notNull(),
  text: text('text').notNull(),
})
