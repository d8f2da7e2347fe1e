import { pgTable, uuid } from 'drizzle-orm/pg-core'

/** Where HomeOwner is stored. */
export const homeOwnerTable = pgTable('home_owner', {
  id: uuid('id').primaryKey(),
  home: uuid('home').notNull(),
})
