import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { drawingTable } from '../schema.ts'

const columns = {
  id: drawingTable.id,
  title: drawingTable.title,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Drawing; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(drawingTable.id, sql.placeholder('id'))
  const own = eq(drawingTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(drawingTable.id, sql.placeholder('after'))
  const changes = {
    title: given('title'),
  }

  return {
    find: drizzle
      .select({ id: drawingTable.id, owner: drawingTable._owner })
      .from(drawingTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(drawingTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        title: given('title'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(drawingTable).where(one).prepare('read'),
    update: drizzle.update(drawingTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(drawingTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(drawingTable).where(one).returning({ id: drawingTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(drawingTable)
      .where(ownOne)
      .returning({ id: drawingTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(drawingTable)
      .where(behind)
      .orderBy(drawingTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
