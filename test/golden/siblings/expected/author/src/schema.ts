import { pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where Author is stored. */
export const authorTable = pgTable('author', {
  id: uuid('id').primaryKey(),
})
