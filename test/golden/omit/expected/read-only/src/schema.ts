import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where ReadOnly is stored. */
export const readOnlyTable = pgTable('read_only', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})
