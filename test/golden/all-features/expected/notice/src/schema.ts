import { relations, sql } from 'drizzle-orm'
import { bigint, check, foreignKey, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that notice-db/migrations leads to. */
export const SCHEMA_HASH = 'bcfbfc26d1e3d6d54a32c353b935976c2c2ec4959bcb1e126d5b46206d7158f9'

/** Written by organizers only. */
export const notice = pgTable(
  'notice',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
    /** Counts the changes. */
    _version: bigint('_version', { mode: 'number' }).notNull().default(1),
    text: text('text').notNull(),
  },
  (notice) => [check('notice__text__check', sql`char_length(${notice.text}) <= 500`)],
)

/** Where it hangs. */
export const copy = pgTable(
  'copy',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    hall: uuid('hall').notNull(),
  },
  (copy) => [
    foreignKey({
      columns: [copy.parentId],
      foreignColumns: [notice.id],
      name: 'copy___parent__fkey',
    }).onDelete('cascade'),
    index('copy___parent__id__idx').on(copy.parentId, copy.id),
  ],
)

export const noticeRelations = relations(notice, ({ many }) => ({
  copyList: many(copy, { relationName: 'copy' }),
}))

export const copyRelations = relations(copy, ({ one }) => ({
  notice: one(notice, {
    relationName: 'copy',
    fields: [copy.parentId],
    references: [notice.id],
  }),
}))

export type Database = DatabaseOf<typeof import('./schema.ts')>
