import { doublePrecision, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { datetime } from './column-types.ts'

/** Where Home is stored. */
export const homeTable = pgTable('home', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  owner: uuid('owner').notNull(),
  address: text('address').notNull(),
  nightlyRate: doublePrecision('nightly_rate').notNull(),
  listedAt: datetime('listed_at').notNull(),
})

/** Where Photo is stored. */
export const photoTable = pgTable('photo', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  caption: text('caption').notNull(),
})
