import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Report is stored. */
export const reportTable = pgTable('report', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})
