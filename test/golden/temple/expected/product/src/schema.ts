import { relations, sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that product-db/migrations leads to. */
export const SCHEMA_HASH = 'd6712e9bc7da361206868af5a29332905c9201b2e632bf557f8cb377cfcc479c'

export const product = pgTable(
  'product',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
    title: text('title').notNull(),
    shelf: integer('shelf').notNull(),
    price: real('price').notNull(),
  },
  (product) => [
    check('product__title__check', sql`char_length(${product.title}) BETWEEN 1 AND 200`),
    check('product__shelf__check', sql`${product.shelf} BETWEEN 1 AND 100`),
    check(
      'product__price__check',
      sql`${product.price} >= '0'::real AND ${product.price} < 'Infinity'::real`,
    ),
  ],
)

export const review = pgTable(
  'review',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    stars: integer('stars').notNull(),
    text: text('text').notNull(),
  },
  (review) => [
    foreignKey({
      columns: [review.parentId],
      foreignColumns: [product.id],
      name: 'review___parent__fkey',
    }).onDelete('cascade'),
    index('review___parent__id__idx').on(review.parentId, review.id),
    check('review__stars__check', sql`${review.stars} BETWEEN 1 AND 5`),
  ],
)

export const productRelations = relations(product, ({ many }) => ({
  reviewList: many(review, { relationName: 'review' }),
}))

export const reviewRelations = relations(review, ({ one }) => ({
  product: one(product, {
    relationName: 'review',
    fields: [review.parentId],
    references: [product.id],
  }),
}))

export type Database = DatabaseOf<typeof import('./schema.ts')>
