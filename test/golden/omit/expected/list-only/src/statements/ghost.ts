import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { ghostTable, listOnlyTable } from '../schema.ts'

const columns = {
  id: ghostTable.id,
  parentId: ghostTable._parent,
  text: ghostTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Ghost; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(listOnlyTable.id, sql.placeholder('_parent'))
  const inParent = eq(ghostTable._parent, sql.placeholder('_parent'))
  const one = and(eq(ghostTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(ghostTable.id, sql.placeholder('after')), inParent)
  const owner = eq(listOnlyTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(listOnlyTable)
      .where(and(eq(listOnlyTable.id, ghostTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: listOnlyTable.id,
    text: sql<string>`${given('text')}::text`.as('text'),
  }
  const changes = {
    text: given('text'),
  }

  return {
    create: drizzle
      .insert(ghostTable)
      .select(drizzle.select(entry).from(listOnlyTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(ghostTable)
      .select(drizzle.select(entry).from(listOnlyTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(ghostTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(ghostTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(ghostTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(ghostTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(ghostTable).where(one).returning({ id: ghostTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(ghostTable).where(ownOne).returning({ id: ghostTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(ghostTable)
      .where(behind)
      .orderBy(ghostTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
