import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Object is stored. */
export const objectTable = pgTable('object', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  value: text('value').notNull(),
})
