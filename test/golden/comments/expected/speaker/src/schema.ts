import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where Speaker is stored. */
export const speakerTable = pgTable('speaker', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  voice: text('voice').notNull(),
})
