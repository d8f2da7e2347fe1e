import { pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where Promise is stored. */
export const promiseTable = pgTable('promise', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  object: uuid('object').notNull(),
  date: uuid('date').notNull(),
})
