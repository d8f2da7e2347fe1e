import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { bedTable, wateringTable } from '../schema.ts'

const columns = {
  id: wateringTable.id,
  parentId: wateringTable._parent,
  litres: wateringTable.litres,
  done: wateringTable.done,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Watering; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(bedTable.id, sql.placeholder('_parent'))
  const inParent = eq(wateringTable._parent, sql.placeholder('_parent'))
  const one = and(eq(wateringTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(wateringTable.id, sql.placeholder('after')), inParent)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: bedTable.id,
    litres: sql<number>`${given('litres')}::double precision`.as('litres'),
    done: sql<string>`${given('done')}::timestamptz`.as('done'),
  }
  const changes = {
    litres: given('litres'),
    done: sql`coalesce(${given('done')}, ${wateringTable.done})`,
  }

  return {
    create: drizzle
      .insert(wateringTable)
      .select(drizzle.select(entry).from(bedTable).where(parent))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(wateringTable).where(one).prepare('read'),
    update: drizzle.update(wateringTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(wateringTable).where(one).returning({ id: wateringTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(wateringTable)
      .where(behind)
      .orderBy(wateringTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
