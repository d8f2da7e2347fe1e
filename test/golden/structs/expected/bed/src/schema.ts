import { relations, sql } from 'drizzle-orm'
import { check, date, doublePrecision, foreignKey, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'
import { datetime } from '#lib/queries.ts'

/** Identifies the schema that bed-db/migrations leads to. */
export const SCHEMA_HASH = '2e8ea97065df04d063b5da555b9b01300f60105b853e033dde1cd5f06d9a7927'

export const bed = pgTable(
  'bed',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull().unique('bed__name__key'),
  },
  (bed) => [check('bed__name__check', sql`char_length(${bed.name}) BETWEEN 1 AND 40`)],
)

export const plant = pgTable(
  'plant',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    label: text('label').notNull().unique('plant__label__key'),
    planted: date('planted').notNull(),
  },
  (plant) => [
    foreignKey({
      columns: [plant.parentId],
      foreignColumns: [bed.id],
      name: 'plant___parent__fkey',
    }).onDelete('cascade'),
    index('plant___parent__id__idx').on(plant.parentId, plant.id),
    check('plant__label__check', sql`char_length(${plant.label}) <= 20`),
    check('plant__planted__check', sql`${plant.planted} BETWEEN '0001-01-01' AND '9999-12-31'`),
  ],
)

export const watering = pgTable(
  'watering',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    litres: doublePrecision('litres').notNull(),
    done: datetime('done').notNull(),
  },
  (watering) => [
    foreignKey({
      columns: [watering.parentId],
      foreignColumns: [bed.id],
      name: 'watering___parent__fkey',
    }).onDelete('cascade'),
    index('watering___parent__id__idx').on(watering.parentId, watering.id),
    check(
      'watering__litres__check',
      sql`${watering.litres} >= '0'::double precision AND ${watering.litres} < 'Infinity'::double precision`,
    ),
    check(
      'watering__done__check',
      sql`${watering.done} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
  ],
)

export const bedRelations = relations(bed, ({ many }) => ({
  plantList: many(plant, { relationName: 'plant' }),
  wateringList: many(watering, { relationName: 'watering' }),
}))

export const plantRelations = relations(plant, ({ one }) => ({
  bed: one(bed, {
    relationName: 'plant',
    fields: [plant.parentId],
    references: [bed.id],
  }),
}))

export const wateringRelations = relations(watering, ({ one }) => ({
  bed: one(bed, {
    relationName: 'watering',
    fields: [watering.parentId],
    references: [bed.id],
  }),
}))

export type Database = DatabaseOf<typeof import('./schema.ts')>
