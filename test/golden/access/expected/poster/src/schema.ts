import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Poster is stored. */
export const posterTable = pgTable('poster', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})

/** Where Stamp is stored. */
export const stampTable = pgTable('stamp', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  place: text('place').notNull(),
})
