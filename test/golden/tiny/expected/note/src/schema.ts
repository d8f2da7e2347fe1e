import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that note-db/migrations leads to. */
export const SCHEMA_HASH = '2f104e1320200ca0749ccd89259c1366dd73bdb279e89a7f16cba11ac9918948'

export const note = pgTable('note', {
  id: uuid('id').primaryKey(),
  text: text('text').notNull(),
})

export type Database = DatabaseOf<typeof import('./schema.ts')>
