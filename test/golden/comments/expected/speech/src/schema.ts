import { doublePrecision, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Speech is stored. */
export const speechTable = pgTable('speech', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})

/** Where Applause is stored. */
export const applauseTable = pgTable('applause', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  loudness: doublePrecision('loudness').notNull(),
})
