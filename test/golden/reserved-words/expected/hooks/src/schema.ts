import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Hooks is stored. */
export const hooksTable = pgTable('hooks', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  config: text('config').notNull(),
})

/** Where Log is stored. */
export const logTable = pgTable('log', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  text: text('text').notNull(),
})
