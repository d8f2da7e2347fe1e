import { relations, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  type PgTableExtraConfigValue,
  real,
  text,
  time,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'
import { bytes, datetime } from '#lib/queries.ts'

/** Identifies the schema that category-db/migrations leads to. */
export const SCHEMA_HASH = 'bd441e36e4f0f4a7fabd4378457cd47e4caf68c6782172a7f1aac5005695fed0'

export const category = pgTable(
  'category',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
    title: text('title').notNull(),
    /** The category that contains it. */
    parent: uuid('parent'),
    owner: uuid('owner'),
    open: boolean('open').notNull(),
    priority: integer('priority').notNull(),
    country: text('country').notNull(),
    greeting: text('greeting').notNull(),
    image: bytes('image'),
    text: text('text'),
    share: real('share'),
    starts: date('starts').notNull(),
    at: time('at'),
    openedAt: datetime('opened_at').notNull(),
    closedAt: datetime('closed_at'),
    state: text('state', { enum: ['new', 'open', 'closed'] }).notNull(),
    size: text('size', { enum: ['s', 'm', '2xl'] }),
    kind: text('kind', { enum: ['2xl', 's'] }).notNull(),
    rank: integer('rank'),
    count: integer('count').notNull(),
    constructor: text('constructor'),
  },
  (category) => [
    check('category__title__check', sql`char_length(${category.title}) <= 80`),
    check('category__priority__check', sql`${category.priority} BETWEEN 1 AND 5`),
    check('category__country__check', sql`char_length(${category.country}) <= 2`),
    check('category__image__check', sql`octet_length(${category.image}) <= 5000`),
    // Drizzle has no EXCLUDE, which keeps values of any length unique.
    index('category__text__key').using('hash', category.text),
    check('category__share__check', sql`${category.share} >= '0'::real AND ${category.share} <= '1'::real`),
    check('category__starts__check', sql`${category.starts} BETWEEN '0001-01-01' AND '9999-12-31'`),
    check('category__at__check', sql`${category.at} < '24:00:00'`),
    check(
      'category__opened_at__check',
      sql`${category.openedAt} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
    check(
      'category__closed_at__check',
      sql`${category.closedAt} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
    check('category__state__check', sql`${category.state} IN ('closed', 'new', 'open')`),
    check('category__size__check', sql`${category.size} IN ('2xl', 'm', 's')`),
    check('category__kind__check', sql`${category.kind} IN ('2xl', 's')`),
    check('category__rank__check', sql`${category.rank} >= 1`),
    check('category__count__check', sql`${category.count} >= 1`),
    check('category__constructor__check', sql`char_length(${category.constructor}) <= 5`),
  ],
)

export const photo = pgTable(
  'photo',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    caption: text('caption'),
    album: uuid('album'),
    next: uuid('next'),
  },
  (photo): PgTableExtraConfigValue[] => [
    foreignKey({
      columns: [photo.parentId],
      foreignColumns: [category.id],
      name: 'photo___parent__fkey',
    }).onDelete('cascade'),
    unique('photo__id___parent__key').on(photo.id, photo.parentId),
    index('photo___parent__id__idx').on(photo.parentId, photo.id),
    foreignKey({
      columns: [photo.album, photo.parentId],
      foreignColumns: [album.id, album.parentId],
      name: 'photo__album__fkey',
    }),
    index('photo__album__idx').on(photo.album),
    foreignKey({
      columns: [photo.next, photo.parentId],
      foreignColumns: [photo.id, photo.parentId],
      name: 'photo__next__fkey',
    }),
    index('photo__next__idx').on(photo.next),
    check('photo__caption__check', sql`char_length(${photo.caption}) <= 200`),
  ],
)

export const album = pgTable(
  'album',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    cover: uuid('cover'),
    title: text('title').notNull(),
  },
  (album): PgTableExtraConfigValue[] => [
    foreignKey({
      columns: [album.parentId],
      foreignColumns: [category.id],
      name: 'album___parent__fkey',
    }).onDelete('cascade'),
    unique('album__id___parent__key').on(album.id, album.parentId),
    index('album___parent__id__idx').on(album.parentId, album.id),
    foreignKey({
      columns: [album.cover, album.parentId],
      foreignColumns: [photo.id, photo.parentId],
      name: 'album__cover__fkey',
    }),
    index('album__cover__idx').on(album.cover),
    check('album__title__check', sql`char_length(${album.title}) <= 20`),
  ],
)

export const categoryRelations = relations(category, ({ many }) => ({
  photoList: many(photo, { relationName: 'photo' }),
  albumList: many(album, { relationName: 'album' }),
}))

export const photoRelations = relations(photo, ({ one }) => ({
  category: one(category, {
    relationName: 'photo',
    fields: [photo.parentId],
    references: [category.id],
  }),
  albumEntry: one(album, {
    relationName: 'photo.album',
    fields: [photo.album],
    references: [album.id],
  }),
  nextEntry: one(photo, {
    relationName: 'photo.next',
    fields: [photo.next],
    references: [photo.id],
  }),
}))

export const albumRelations = relations(album, ({ one }) => ({
  category: one(category, {
    relationName: 'album',
    fields: [album.parentId],
    references: [category.id],
  }),
  coverEntry: one(photo, {
    relationName: 'album.cover',
    fields: [album.cover],
    references: [photo.id],
  }),
}))

export type Database = DatabaseOf<typeof import('./schema.ts')>
