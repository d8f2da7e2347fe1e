import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where ListOnly is stored. */
export const listOnlyTable = pgTable('list_only', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})

/** Where Ghost is stored. */
export const ghostTable = pgTable('ghost', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  text: text('text').notNull(),
})
