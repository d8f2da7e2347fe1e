import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Function is stored. */
export const functionTable = pgTable('function', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  name: text('name').notNull(),
  arguments: text('arguments').notNull(),
})
