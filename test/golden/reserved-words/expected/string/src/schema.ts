import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where String is stored. */
export const stringTable = pgTable('string', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  length: integer('length').notNull(),
})

/** Where Map is stored. */
export const mapTable = pgTable('map', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  key: text('key').notNull(),
})
