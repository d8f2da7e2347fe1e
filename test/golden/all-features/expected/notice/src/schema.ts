import { relations, sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that notice-db/migrations leads to. */
export const SCHEMA_HASH = '3c6253f0d4829e951abf430caf63efec74bf32180566858eb2d9dd606a012a4d'

/** Written by organizers only. */
export const notice = pgTable(
  'notice',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
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
