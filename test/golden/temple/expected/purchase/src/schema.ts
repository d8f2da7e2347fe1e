import { sql } from 'drizzle-orm'
import { check, pgTable, time, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that purchase-db/migrations leads to. */
export const SCHEMA_HASH = 'f9aa7bb911f999cbf234643c2793e078f5e8fe65312248ab7041d9991f0f48e0'

export const purchase = pgTable(
  'purchase',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
    product: uuid('product').notNull(),
    when: time('when').notNull(),
  },
  (purchase) => [check('purchase__when__check', sql`${purchase.when} < '24:00:00'`)],
)

export type Database = DatabaseOf<typeof import('./schema.ts')>
