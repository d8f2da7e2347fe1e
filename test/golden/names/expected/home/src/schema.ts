import { integer, pgTable, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that home-db/migrations leads to. */
export const SCHEMA_HASH = 'd8082f69bcf36821cd9cf4a17683b8107798f48bd4bdb217ef218b649d5b28de'

export const home = pgTable('home', {
  id: uuid('id').primaryKey(),
  rooms: integer('rooms').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
