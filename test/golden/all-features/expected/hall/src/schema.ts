import { relations, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  real,
  text,
  time,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'
import { bytes, datetime } from '#lib/queries.ts'

/** Identifies the schema that hall-db/migrations leads to. */
export const SCHEMA_HASH = 'e00a28fd1c6dd954b6df2a968c897201a49f0267bfd8224fece195963b78c669'

/** A hall, with a value of every type. */
export const hall = pgTable(
  'hall',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
    /** Counts the changes. */
    _version: bigint('_version', { mode: 'number' }).notNull().default(1),
    title: text('title').notNull(),
    open: boolean('open').notNull(),
    level: integer('level').notNull(),
    visits: bigint('visits', { mode: 'number' }).notNull(),
    temperature: doublePrecision('temperature').notNull(),
    share: real('share').notNull(),
    built: date('built').notNull(),
    closes: time('closes').notNull(),
    inspected: datetime('inspected').notNull(),
    plan: bytes('plan').notNull(),
    fee: numeric('fee', { precision: 38, scale: 2 }).notNull(),
    earned: numeric('earned', { precision: 38, scale: 4 }).notNull(),
    /**
     * What visitors can do there.
     *
     * A new entity has `open`. `open` can become `sold-out` or `closed`. `sold-out` can become `open` or `closed`. `closed` is final.
     */
    state: text('state', { enum: ['open', 'sold-out', 'closed'] }).notNull(),
    badgeSize: text('_badge_size_d2d1bd96', { enum: ['2xl', 'xl', 'm'] }).notNull(),
    phone: text('phone'),
    seats: integer('seats').notNull(),
    country: text('country').notNull(),
    added: datetime('added').notNull(),
  },
  (hall) => [
    index('hall__open__id__idx').on(hall.open, hall.id),
    index('hall__level__id__idx').on(hall.level, hall.id),
    index('hall__share__id__idx').on(hall.share, hall.id),
    index('hall__built__id__idx').on(hall.built, hall.id),
    index('hall__built__id__desc').on(hall.built.desc().nullsLast(), hall.id),
    index('hall__state__id__idx').on(sql`${hall.state} collate "C"`, hall.id),
    index('hall__state__id__desc').on(sql`${hall.state} collate "C" desc nulls last`, hall.id),
    index('hall__phone__id__idx').on(sql`${hall.phone} collate "C"`, hall.id),
    check('hall__level__check', sql`${hall.level} BETWEEN -2 AND 10`),
    check('hall__visits__check', sql`${hall.visits} >= 0`),
    check(
      'hall__temperature__check',
      sql`${hall.temperature} > '-Infinity'::double precision AND ${hall.temperature} < 'Infinity'::double precision`,
    ),
    check('hall__share__check', sql`${hall.share} >= '0'::real AND ${hall.share} <= '1'::real`),
    check('hall__built__check', sql`${hall.built} BETWEEN '0001-01-01' AND '9999-12-31'`),
    check('hall__closes__check', sql`${hall.closes} < '24:00:00'`),
    check(
      'hall__inspected__check',
      sql`${hall.inspected} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
    check('hall__plan__check', sql`octet_length(${hall.plan}) <= 5000000`),
    check('hall__fee__check', sql`${hall.fee} BETWEEN 0.00 AND 999.99`),
    check('hall__earned__check', sql`${hall.earned} < 'NaN'`),
    check('hall__state__check', sql`${hall.state} IN ('closed', 'open', 'sold-out')`),
    check('hall___badge_size_d2d1bd96__check', sql`${hall.badgeSize} IN ('2xl', 'm', 'xl')`),
    check('hall__phone__check', sql`char_length(${hall.phone}) <= 20`),
    check('hall__seats__check', sql`${hall.seats} BETWEEN 0 AND 10000`),
    check('hall__country__check', sql`char_length(${hall.country}) <= 2`),
    check(
      'hall__added__check',
      sql`${hall.added} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
  ],
)

/** A place for an exhibitor. */
export const booth = pgTable(
  'booth',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    /** Counts the changes. */
    _version: bigint('_version', { mode: 'number' }).notNull().default(1),
    /** As on the plan. */
    number: integer('number').notNull().unique('booth__number__key'),
    /** A new entity has `free`. `free` can become `taken`. `taken` is final. */
    state: text('state', { enum: ['free', 'taken'] }).notNull(),
    /** When it was created. */
    createdAt: datetime('_created_at').notNull().default(sql`now()`),
    /** When it was last changed. */
    updatedAt: datetime('_updated_at').notNull().default(sql`now()`),
  },
  (booth) => [
    foreignKey({
      columns: [booth.parentId],
      foreignColumns: [hall.id],
      name: 'booth___parent__fkey',
    }).onDelete('cascade'),
    unique('booth__id___parent__key').on(booth.id, booth.parentId),
    index('booth___parent__id__idx').on(booth.parentId, booth.id),
    index('booth___parent__number__id__idx').on(booth.parentId, booth.number, booth.id),
    index('booth___parent__number__id__desc').on(booth.parentId, booth.number.desc().nullsLast(), booth.id),
    check('booth__number__check', sql`${booth.number} BETWEEN 1 AND 500`),
    check('booth__state__check', sql`${booth.state} IN ('free', 'taken')`),
    check(
      'booth___created_at__check',
      sql`${booth.createdAt} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
    check(
      'booth___updated_at__check',
      sql`${booth.updatedAt} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
  ],
)

/** A way between two booths. */
export const aisle = pgTable(
  'aisle',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    from: uuid('from').notNull(),
    to: uuid('to').notNull(),
    metres: doublePrecision('metres').notNull(),
    checked: datetime('checked').notNull(),
  },
  (aisle) => [
    foreignKey({
      columns: [aisle.parentId],
      foreignColumns: [hall.id],
      name: 'aisle___parent__fkey',
    }).onDelete('cascade'),
    index('aisle___parent__id__idx').on(aisle.parentId, aisle.id),
    foreignKey({
      columns: [aisle.from, aisle.parentId],
      foreignColumns: [booth.id, booth.parentId],
      name: 'aisle__from__fkey',
    }),
    index('aisle__from__idx').on(aisle.from),
    foreignKey({
      columns: [aisle.to, aisle.parentId],
      foreignColumns: [booth.id, booth.parentId],
      name: 'aisle__to__fkey',
    }),
    index('aisle__to__idx').on(aisle.to),
    check(
      'aisle__metres__check',
      sql`${aisle.metres} >= '0'::double precision AND ${aisle.metres} < 'Infinity'::double precision`,
    ),
    check(
      'aisle__checked__check',
      sql`${aisle.checked} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
    unique('aisle__from__to__key').on(aisle.from, aisle.to),
    unique('aisle___parent__metres__key').on(aisle.parentId, aisle.metres),
  ],
)

export const hallRelations = relations(hall, ({ many }) => ({
  boothList: many(booth, { relationName: 'booth' }),
  aisleList: many(aisle, { relationName: 'aisle' }),
}))

export const boothRelations = relations(booth, ({ one }) => ({
  hall: one(hall, {
    relationName: 'booth',
    fields: [booth.parentId],
    references: [hall.id],
  }),
}))

export const aisleRelations = relations(aisle, ({ one }) => ({
  hall: one(hall, {
    relationName: 'aisle',
    fields: [aisle.parentId],
    references: [hall.id],
  }),
  fromEntry: one(booth, {
    relationName: 'aisle.from',
    fields: [aisle.from],
    references: [booth.id],
  }),
  toEntry: one(booth, {
    relationName: 'aisle.to',
    fields: [aisle.to],
    references: [booth.id],
  }),
}))

export type Database = DatabaseOf<typeof import('./schema.ts')>
