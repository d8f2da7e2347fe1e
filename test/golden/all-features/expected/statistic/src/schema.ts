import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that statistic-db/migrations leads to. */
export const SCHEMA_HASH = '02d1e449d2f4b8684b8d858d51a8ca5fc0dcbfd495e8957e9cdf7a963bc88081'

/** Written by custom code only, which also calls bookings. */
export const statistic = pgTable(
  'statistic',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
    hall: uuid('hall').notNull(),
    text: text('text').notNull(),
  },
  (statistic) => [
    index('statistic___owner__id__idx').on(statistic._owner, statistic.id),
    check('statistic__text__check', sql`char_length(${statistic.text}) <= 10000`),
  ],
)

export type Database = DatabaseOf<typeof import('./schema.ts')>
