import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that note-db/migrations leads to. */
export const SCHEMA_HASH = '4e97272c6b2cb5a68e2a0cbaea585d1a7a8478dcad4e8509011a5c3846968f4f'

export const note = pgTable('note', {
  id: uuid('id').primaryKey(),
  text: text('text').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
