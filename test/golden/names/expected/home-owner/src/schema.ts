import { pgTable, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that home-owner-db/migrations leads to. */
export const SCHEMA_HASH = 'b4fb18450c2b2f935a126f90407c95b1dde02a02c6a9a1218cc15db369d4947c'

export const homeOwner = pgTable('home_owner', {
  id: uuid('id').primaryKey(),
  home: uuid('home').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
