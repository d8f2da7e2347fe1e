import { sql } from 'drizzle-orm'
import { boolean, check, date, index, pgTable, unique, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'
import { datetime } from '#lib/queries.ts'

/** Identifies the schema that booking-db/migrations leads to. */
export const SCHEMA_HASH = '70f87a03435cd4d66461f843626218e5d84916bfe492346eb70fa10aa3ca982d'

/** A visit that a guest plans. */
export const booking = pgTable(
  'booking',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
    hall: uuid('hall').notNull(),
    guest: uuid('guest').notNull(),
    follows: uuid('follows').notNull(),
    instead: uuid('instead'),
    made: date('made').notNull(),
    day: date('day').notNull().unique('booking__day__key'),
    confirmed: boolean('confirmed').notNull(),
    /** When it was created. */
    createdAt: datetime('_created_at').notNull().default(sql`now()`),
    /** When it was last changed. */
    updatedAt: datetime('_updated_at').notNull().default(sql`now()`),
  },
  (booking) => [
    index('booking___owner__id__idx').on(booking._owner, booking.id),
    index('booking___owner__hall__id__idx').on(booking._owner, booking.hall, booking.id),
    index('booking___owner__day__id__idx').on(booking._owner, booking.day, booking.id),
    index('booking___owner__day__id__desc').on(booking._owner, booking.day.desc().nullsLast(), booking.id),
    index('booking__hall__id__idx').on(booking.hall, booking.id),
    index('booking__day__id__idx').on(booking.day, booking.id),
    index('booking__day__id__desc').on(booking.day.desc().nullsLast(), booking.id),
    check('booking__made__check', sql`${booking.made} BETWEEN '0001-01-01' AND '9999-12-31'`),
    check('booking__day__check', sql`${booking.day} BETWEEN '0001-01-01' AND '9999-12-31'`),
    check(
      'booking___created_at__check',
      sql`${booking.createdAt} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
    check(
      'booking___updated_at__check',
      sql`${booking.updatedAt} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
    unique('booking__hall__guest__day__key').on(booking.hall, booking.guest, booking.day),
  ],
)

export type Database = DatabaseOf<typeof import('./schema.ts')>
