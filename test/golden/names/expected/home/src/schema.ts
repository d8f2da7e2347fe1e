import { integer, pgTable, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that home-db/migrations leads to. */
export const SCHEMA_HASH = '8dcccba6ac0a94fcebcaf4f4f7848b650fcfbdd4bea23415a4f72ebe980450b9'

export const home = pgTable('home', {
  id: uuid('id').primaryKey(),
  rooms: integer('rooms').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
