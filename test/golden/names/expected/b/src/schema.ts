import { pgTable, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that b-db/migrations leads to. */
export const SCHEMA_HASH = 'b54a2bf46b39dd4ec0e31de88979eb5e9f3ad8efb1cec362b8bec52b4f1b35c6'

export const b = pgTable('b', {
  id: uuid('id').primaryKey(),
  proxy: uuid('proxy').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
