import { doublePrecision, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Drawing is stored. */
export const drawingTable = pgTable('drawing', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  title: text('title').notNull(),
})

/** Where Node is stored. */
export const nodeTable = pgTable('node', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  label: text('label').notNull(),
})

/** Where Edge is stored. */
export const edgeTable = pgTable('edge', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  from: uuid('from').notNull(),
  to: uuid('to').notNull(),
  weight: doublePrecision('weight').notNull(),
})

/** Where Note is stored. */
export const noteTable = pgTable('note', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  about: uuid('about').notNull(),
  node: uuid('node').notNull(),
  text: text('text').notNull(),
})
