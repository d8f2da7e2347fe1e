import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Board is stored. */
export const boardTable = pgTable('board', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})

/** Where Pin is stored. */
export const pinTable = pgTable('pin', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  colour: text('colour').notNull(),
})
