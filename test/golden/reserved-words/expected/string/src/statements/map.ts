import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { mapTable, stringTable } from '../schema.ts'

const columns = {
  id: mapTable.id,
  parentId: mapTable._parent,
  key: mapTable.key,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Map; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(stringTable.id, sql.placeholder('_parent'))
  const inParent = eq(mapTable._parent, sql.placeholder('_parent'))
  const one = and(eq(mapTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(mapTable.id, sql.placeholder('after')), inParent)
  const owner = eq(stringTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(stringTable)
      .where(and(eq(stringTable.id, mapTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: stringTable.id,
    key: sql<string>`${given('key')}::text`.as('key'),
  }
  const changes = {
    key: given('key'),
  }

  return {
    create: drizzle
      .insert(mapTable)
      .select(drizzle.select(entry).from(stringTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(mapTable)
      .select(drizzle.select(entry).from(stringTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(mapTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(mapTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(mapTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(mapTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(mapTable).where(one).returning({ id: mapTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(mapTable).where(ownOne).returning({ id: mapTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(mapTable)
      .where(behind)
      .orderBy(mapTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
