import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Draft is stored. */
export const draftTable = pgTable('draft', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})

/** Where Note is stored. */
export const noteTable = pgTable('note', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  text: text('text').notNull(),
})
