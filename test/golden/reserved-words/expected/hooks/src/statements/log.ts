import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { hooksTable, logTable } from '../schema.ts'

const columns = {
  id: logTable.id,
  parentId: logTable._parent,
  text: logTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Log; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(hooksTable.id, sql.placeholder('_parent'))
  const inParent = eq(logTable._parent, sql.placeholder('_parent'))
  const one = and(eq(logTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(logTable.id, sql.placeholder('after')), inParent)
  const owner = eq(hooksTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(hooksTable)
      .where(and(eq(hooksTable.id, logTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: hooksTable.id,
    text: sql<string>`${given('text')}::text`.as('text'),
  }
  const changes = {
    text: given('text'),
  }

  return {
    create: drizzle
      .insert(logTable)
      .select(drizzle.select(entry).from(hooksTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(logTable)
      .select(drizzle.select(entry).from(hooksTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(logTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(logTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(logTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(logTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(logTable).where(one).returning({ id: logTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(logTable).where(ownOne).returning({ id: logTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(logTable)
      .where(behind)
      .orderBy(logTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
