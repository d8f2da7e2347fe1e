import { pgTable, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that b-db/migrations leads to. */
export const SCHEMA_HASH = '48fc179b0127f5fc5c261eaa8b225f8c48837e7151c66daf46fa9e644d830da6'

export const b = pgTable('b', {
  id: uuid('id').primaryKey(),
  proxy: uuid('proxy').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
