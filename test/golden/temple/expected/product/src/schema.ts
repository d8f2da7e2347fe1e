import { integer, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'

/** Where Product is stored. */
export const productTable = pgTable('product', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  title: text('title').notNull(),
  shelf: integer('shelf').notNull(),
  price: real('price').notNull(),
})

/** Where Review is stored. */
export const reviewTable = pgTable('review', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  stars: integer('stars').notNull(),
  text: text('text').notNull(),
})
