import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { dateTable } from '../schema.ts'

const columns = {
  id: dateTable.id,
  now: dateTable.now,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Date; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(dateTable.id, sql.placeholder('id'))
  const own = eq(dateTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(dateTable.id, sql.placeholder('after'))
  const changes = {
    now: given('now'),
  }

  return {
    find: drizzle
      .select({ id: dateTable.id, owner: dateTable._owner })
      .from(dateTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(dateTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        now: given('now'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(dateTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(dateTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(dateTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(dateTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(dateTable).where(one).returning({ id: dateTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(dateTable).where(ownOne).returning({ id: dateTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(dateTable)
      .where(behind)
      .orderBy(dateTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: dateTable.id })
      .from(dateTable)
      .where(and(sql`${dateTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
