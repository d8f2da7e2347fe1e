import { integer, pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where Train is stored. */
export const trainTable = pgTable('train', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  from: uuid('from').notNull(),
  to: uuid('to').notNull(),
  driver: uuid('driver').notNull(),
})

/** Where Seat is stored. */
export const seatTable = pgTable('seat', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  number: integer('number').notNull(),
  taker: uuid('taker').notNull(),
  connection: uuid('connection').notNull(),
  through: uuid('through').notNull(),
})
