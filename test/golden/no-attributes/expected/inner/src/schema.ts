import { integer, pgTable, uuid } from 'drizzle-orm/pg-core'
import { datetime } from './column-types.ts'

/** Where Inner is stored. */
export const innerTable = pgTable('inner', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  count: integer('count').notNull(),
  seen: datetime('seen').notNull(),
})

/** Where Empty is stored. */
export const emptyTable = pgTable('empty', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
})
