import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { frozenTable } from '../schema.ts'

const columns = {
  id: frozenTable.id,
  text: frozenTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Frozen; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(frozenTable.id, sql.placeholder('id'))
  const own = eq(frozenTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(frozenTable.id, sql.placeholder('after'))
  const changes = {
    text: given('text'),
  }

  return {
    find: drizzle
      .select({ id: frozenTable.id, owner: frozenTable._owner })
      .from(frozenTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(frozenTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(frozenTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(frozenTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(frozenTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(frozenTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(frozenTable).where(one).returning({ id: frozenTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(frozenTable).where(ownOne).returning({ id: frozenTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(frozenTable)
      .where(behind)
      .orderBy(frozenTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
