import { date, doublePrecision, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { datetime } from './column-types.ts'

/** Where Bed is stored. */
export const bedTable = pgTable('bed', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
})

/** Where Plant is stored. */
export const plantTable = pgTable('plant', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  label: text('label').notNull(),
  planted: date('planted').notNull(),
})

/** Where Watering is stored. */
export const wateringTable = pgTable('watering', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  litres: doublePrecision('litres').notNull(),
  done: datetime('done').notNull(),
})
