import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'
import { bytes } from '#lib/queries.ts'

/** Identifies the schema that visitor-db/migrations leads to. */
export const SCHEMA_HASH = '4e6ca400f8775456354003d6e999cbdfa1d5dbadd67b09617b0ab0e798b8ffe5'

/** A guest of the fair. */
export const visitor = pgTable(
  'visitor',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    badge: text('badge').notNull().unique('visitor__badge__key'),
    /** What others call them. */
    nick: text('nick').unique('visitor__nick__key'),
    tickets: integer('tickets').notNull(),
    pinHash: bytes('pin_hash').notNull(),
  },
  (visitor) => [
    check('visitor__name__check', sql`char_length(${visitor.name}) BETWEEN 1 AND 80`),
    check('visitor__badge__check', sql`char_length(${visitor.badge}) <= 12`),
    check('visitor__nick__check', sql`char_length(${visitor.nick}) <= 20`),
    check('visitor__pin_hash__check', sql`octet_length(${visitor.pinHash}) <= 32`),
  ],
)

export type Database = DatabaseOf<typeof import('./schema.ts')>
