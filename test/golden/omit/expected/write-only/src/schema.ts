import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where WriteOnly is stored. */
export const writeOnlyTable = pgTable('write_only', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})
