import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Topic is stored. */
export const topicTable = pgTable('topic', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  title: text('title').notNull(),
})
