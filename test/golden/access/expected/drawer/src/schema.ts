import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Drawer is stored. */
export const drawerTable = pgTable('drawer', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  text: text('text').notNull(),
})

/** Where Paper is stored. */
export const paperTable = pgTable('paper', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  text: text('text').notNull(),
})
