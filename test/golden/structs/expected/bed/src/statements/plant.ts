import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Plant } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { bedTable, plantTable } from '../schema.ts'

const columns = {
  id: plantTable.id,
  parentId: plantTable._parent,
  label: plantTable.label,
  planted: plantTable.planted,
}

const row = {
  id: plantTable.id,
  parentId: sql<string>`${plantTable._parent}`.as('parentId'),
  label: plantTable.label,
  planted: plantTable.planted,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Plant; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(bedTable.id, sql.placeholder('_parent'))
  const inParent = eq(plantTable._parent, sql.placeholder('_parent'))
  const one = and(eq(plantTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(plantTable.id, sql.placeholder('after')), inParent)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: bedTable.id,
    label: sql<string>`${given('label')}::text`.as('label'),
    planted: sql<string>`${given('planted')}::date`.as('planted'),
  }
  const changes = {
    label: given('label'),
    planted: given('planted'),
  }

  return {
    create: drizzle
      .insert(plantTable)
      .select(drizzle.select(entry).from(bedTable).where(parent))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(plantTable).where(one).prepare('read'),
    update: drizzle.update(plantTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(plantTable).where(one).returning({ id: plantTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(plantTable)
      .where(behind)
      .orderBy(plantTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Plant>(
      drizzle,
      drizzle
        .select(row)
        .from(plantTable)
        .where(behind)
        .orderBy(plantTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: plantTable.id })
      .from(plantTable)
      .where(behind)
      .orderBy(plantTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
