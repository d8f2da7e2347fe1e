import { pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where A is stored. */
export const aTable = pgTable('a', {
  id: uuid('id').primaryKey(),
  b: uuid('b').notNull(),
})
