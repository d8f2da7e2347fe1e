import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that customer-db/migrations leads to. */
export const SCHEMA_HASH = '15993ce0c6930cba210b071a2e5bf53090ffe33ebbe73f0ff76aaa2fab552f89'

export const customer = pgTable(
  'customer',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    loyalty: integer('loyalty').notNull(),
  },
  (customer) => [
    check('customer__name__check', sql`char_length(${customer.name}) <= 80`),
    check('customer__loyalty__check', sql`${customer.loyalty} >= 0`),
  ],
)

export type Database = DatabaseOf<typeof import('./schema.ts')>
