import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { errorTable } from '../schema.ts'

const columns = {
  id: errorTable.id,
  message: errorTable.message,
  stack: errorTable.stack,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Error; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(errorTable.id, sql.placeholder('id'))
  const own = eq(errorTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(errorTable.id, sql.placeholder('after'))
  const changes = {
    message: given('message'),
    stack: given('stack'),
  }

  return {
    find: drizzle
      .select({ id: errorTable.id, owner: errorTable._owner })
      .from(errorTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(errorTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        message: given('message'),
        stack: given('stack'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(errorTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(errorTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(errorTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(errorTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(errorTable).where(one).returning({ id: errorTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(errorTable).where(ownOne).returning({ id: errorTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(errorTable)
      .where(behind)
      .orderBy(errorTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
