import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Frozen is stored. */
export const frozenTable = pgTable('frozen', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})

/** Where Log is stored. */
export const logTable = pgTable('log', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  line: text('line').notNull(),
})
