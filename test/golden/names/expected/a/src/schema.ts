import { pgTable, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that a-db/migrations leads to. */
export const SCHEMA_HASH = '1bf17bd3e8eade148ff3b52066da4bfe5d534e6a26dbc168c7e96f86d4949b8d'

export const a = pgTable('a', {
  id: uuid('id').primaryKey(),
  b: uuid('b').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
