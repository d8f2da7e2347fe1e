import { pgTable, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that home-owner-db/migrations leads to. */
export const SCHEMA_HASH = '48f4e344b9cbf71679d1356c045777e31847a5b023fda814e7b3645ca9459611'

export const homeOwner = pgTable('home_owner', {
  id: uuid('id').primaryKey(),
  home: uuid('home').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
