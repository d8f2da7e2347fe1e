import { doublePrecision, pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where Sample is stored. */
export const sampleTable = pgTable('sample', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  station: uuid('station').notNull(),
  celsius: doublePrecision('celsius').notNull(),
})
