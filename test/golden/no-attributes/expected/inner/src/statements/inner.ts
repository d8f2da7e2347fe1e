import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { innerTable } from '../schema.ts'

const columns = {
  id: innerTable.id,
  count: innerTable.count,
  seen: innerTable.seen,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Inner; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(innerTable.id, sql.placeholder('id'))
  const own = eq(innerTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(innerTable.id, sql.placeholder('after'))
  const changes = {
    count: sql`coalesce(${given('count')}, ${innerTable.count})`,
    seen: sql`coalesce(${given('seen')}, ${innerTable.seen})`,
  }

  return {
    find: drizzle
      .select({ id: innerTable.id, owner: innerTable._owner })
      .from(innerTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(innerTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        count: given('count'),
        seen: given('seen'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(innerTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(innerTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(innerTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(innerTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(innerTable).where(one).returning({ id: innerTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(innerTable).where(ownOne).returning({ id: innerTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(innerTable)
      .where(behind)
      .orderBy(innerTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
