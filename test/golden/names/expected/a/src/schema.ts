import { pgTable, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that a-db/migrations leads to. */
export const SCHEMA_HASH = '8eaabeb8efbecd29da966a2536cc65c43438822007fe595bc988581b5362d40e'

export const a = pgTable('a', {
  id: uuid('id').primaryKey(),
  b: uuid('b').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
