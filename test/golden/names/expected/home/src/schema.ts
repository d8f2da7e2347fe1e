import { integer, pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where Home is stored. */
export const homeTable = pgTable('home', {
  id: uuid('id').primaryKey(),
  rooms: integer('rooms').notNull(),
})
