import { pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where Soul is stored. */
export const soulTable = pgTable('soul', {
  id: uuid('id').primaryKey(),
})
