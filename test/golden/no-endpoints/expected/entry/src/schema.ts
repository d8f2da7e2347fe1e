import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Entry is stored. */
export const entryTable = pgTable('entry', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  topic: uuid('topic').notNull(),
  text: text('text').notNull(),
})
