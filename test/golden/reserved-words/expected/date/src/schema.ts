import { pgTable, uuid } from 'drizzle-orm/pg-core'
import { datetime } from './column-types.ts'

/** Where Date is stored. */
export const dateTable = pgTable('date', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  now: datetime('now').notNull(),
})
