import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Station is stored. */
export const stationTable = pgTable('station', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  place: text('place').notNull(),
})
