import { pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where B is stored. */
export const bTable = pgTable('b', {
  id: uuid('id').primaryKey(),
  proxy: uuid('proxy').notNull(),
})
