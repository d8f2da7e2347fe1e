import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  integer,
  pgTable,
  real,
  smallint,
  text,
  time,
  uuid,
} from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'
import { bytes, datetime } from '#lib/queries.ts'

/** Identifies the schema that every-db/migrations leads to. */
export const SCHEMA_HASH = '8a9d1e3a5d842c0fa0820e8ab818a96f09f5337ae7bb18825a4bb8737e0a171b'

export const every = pgTable(
  'every',
  {
    id: uuid('id').primaryKey(),
    flag: boolean('flag').notNull(),
    anyText: text('any_text').notNull(),
    boundText: text('bound_text').notNull(),
    exactText: text('exact_text').notNull(),
    lowText: text('low_text').notNull(),
    anyInt: integer('any_int').notNull(),
    max: integer('max').notNull(),
    range: integer('range').notNull(),
    one: smallint('one').notNull(),
    two: smallint('two').notNull(),
    three: integer('three').notNull(),
    four: integer('four').notNull(),
    five: bigint('five', { mode: 'number' }).notNull(),
    eight: bigint('eight', { mode: 'number' }).notNull(),
    wide: bigint('wide', { mode: 'number' }).notNull(),
    anyFloat: doublePrecision('any_float').notNull(),
    positive: doublePrecision('positive').notNull(),
    share: doublePrecision('share').notNull(),
    single: real('single').notNull(),
    day: date('day').notNull(),
    clock: time('clock').notNull(),
    moment: datetime('moment').notNull(),
    blob: bytes('blob').notNull(),
    small: bytes('small').notNull(),
  },
  (every) => [
    check('every__bound_text__check', sql`char_length(${every.boundText}) <= 10`),
    check('every__exact_text__check', sql`char_length(${every.exactText}) BETWEEN 8 AND 8`),
    check('every__low_text__check', sql`char_length(${every.lowText}) >= 3`),
    check('every__max__check', sql`${every.max} <= 7`),
    check('every__range__check', sql`${every.range} BETWEEN 1 AND 100`),
    check('every__one__check', sql`${every.one} BETWEEN -128 AND 127`),
    check('every__three__check', sql`${every.three} BETWEEN -8388608 AND 8388607`),
    check('every__five__check', sql`${every.five} BETWEEN -549755813888 AND 549755813887`),
    check(
      'every__any_float__check',
      sql`${every.anyFloat} > '-Infinity'::double precision AND ${every.anyFloat} < 'Infinity'::double precision`,
    ),
    check(
      'every__positive__check',
      sql`${every.positive} >= '0'::double precision AND ${every.positive} < 'Infinity'::double precision`,
    ),
    check(
      'every__share__check',
      sql`${every.share} >= '0'::double precision AND ${every.share} <= '1'::double precision`,
    ),
    check(
      'every__single__check',
      sql`${every.single} >= '-0.25'::real AND ${every.single} <= '1000000'::real`,
    ),
    check('every__day__check', sql`${every.day} BETWEEN '0001-01-01' AND '9999-12-31'`),
    check('every__clock__check', sql`${every.clock} < '24:00:00'`),
    check(
      'every__moment__check',
      sql`${every.moment} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
    check('every__small__check', sql`octet_length(${every.small}) <= 5000000`),
  ],
)

export type Database = DatabaseOf<typeof import('./schema.ts')>
