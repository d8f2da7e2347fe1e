import { relations, sql } from 'drizzle-orm'
import { check, doublePrecision, foreignKey, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that drawing-db/migrations leads to. */
export const SCHEMA_HASH = '24803605443968a6741b342169d7914059e7a8593f810c5d4ad494cd67c9c30a'

export const drawing = pgTable(
  'drawing',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
    title: text('title').notNull(),
  },
  (drawing) => [check('drawing__title__check', sql`char_length(${drawing.title}) <= 100`)],
)

export const node = pgTable(
  'node',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    label: text('label').notNull(),
  },
  (node) => [
    foreignKey({
      columns: [node.parentId],
      foreignColumns: [drawing.id],
      name: 'node___parent__fkey',
    }).onDelete('cascade'),
    unique('node__id___parent__key').on(node.id, node.parentId),
    index('node___parent__id__idx').on(node.parentId, node.id),
    check('node__label__check', sql`char_length(${node.label}) <= 40`),
  ],
)

export const edge = pgTable(
  'edge',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    from: uuid('from').notNull(),
    to: uuid('to').notNull(),
    weight: doublePrecision('weight').notNull(),
  },
  (edge) => [
    foreignKey({
      columns: [edge.parentId],
      foreignColumns: [drawing.id],
      name: 'edge___parent__fkey',
    }).onDelete('cascade'),
    unique('edge__id___parent__key').on(edge.id, edge.parentId),
    index('edge___parent__id__idx').on(edge.parentId, edge.id),
    foreignKey({
      columns: [edge.from, edge.parentId],
      foreignColumns: [node.id, node.parentId],
      name: 'edge__from__fkey',
    }),
    index('edge__from__idx').on(edge.from),
    foreignKey({
      columns: [edge.to, edge.parentId],
      foreignColumns: [node.id, node.parentId],
      name: 'edge__to__fkey',
    }),
    index('edge__to__idx').on(edge.to),
    check(
      'edge__weight__check',
      sql`${edge.weight} > '-Infinity'::double precision AND ${edge.weight} < 'Infinity'::double precision`,
    ),
  ],
)

export const note = pgTable(
  'note',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    about: uuid('about').notNull(),
    node: uuid('node').notNull(),
    text: text('text').notNull(),
  },
  (note) => [
    foreignKey({
      columns: [note.parentId],
      foreignColumns: [drawing.id],
      name: 'note___parent__fkey',
    }).onDelete('cascade'),
    index('note___parent__id__idx').on(note.parentId, note.id),
    foreignKey({
      columns: [note.about, note.parentId],
      foreignColumns: [edge.id, edge.parentId],
      name: 'note__about__fkey',
    }),
    index('note__about__idx').on(note.about),
    foreignKey({
      columns: [note.node, note.parentId],
      foreignColumns: [node.id, node.parentId],
      name: 'note__node__fkey',
    }),
    index('note__node__idx').on(note.node),
    check('note__text__check', sql`char_length(${note.text}) <= 200`),
  ],
)

export const drawingRelations = relations(drawing, ({ many }) => ({
  nodeList: many(node, { relationName: 'node' }),
  edgeList: many(edge, { relationName: 'edge' }),
  noteList: many(note, { relationName: 'note' }),
}))

export const nodeRelations = relations(node, ({ one }) => ({
  drawing: one(drawing, {
    relationName: 'node',
    fields: [node.parentId],
    references: [drawing.id],
  }),
}))

export const edgeRelations = relations(edge, ({ one }) => ({
  drawing: one(drawing, {
    relationName: 'edge',
    fields: [edge.parentId],
    references: [drawing.id],
  }),
  fromEntry: one(node, {
    relationName: 'edge.from',
    fields: [edge.from],
    references: [node.id],
  }),
  toEntry: one(node, {
    relationName: 'edge.to',
    fields: [edge.to],
    references: [node.id],
  }),
}))

export const noteRelations = relations(note, ({ one }) => ({
  drawing: one(drawing, {
    relationName: 'note',
    fields: [note.parentId],
    references: [drawing.id],
  }),
  aboutEntry: one(edge, {
    relationName: 'note.about',
    fields: [note.about],
    references: [edge.id],
  }),
  nodeEntry: one(node, {
    relationName: 'note.node',
    fields: [note.node],
    references: [node.id],
  }),
}))

export type Database = DatabaseOf<typeof import('./schema.ts')>
