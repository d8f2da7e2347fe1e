import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that customer-db/migrations leads to. */
export const SCHEMA_HASH = '54dac44d7175c3a805ed4ebf98b6aa63a868b1b52931cef96553d4a0218a0f69'

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
