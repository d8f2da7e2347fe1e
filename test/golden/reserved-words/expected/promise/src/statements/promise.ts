import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { promiseTable } from '../schema.ts'

const columns = {
  id: promiseTable.id,
  object: promiseTable.object,
  date: promiseTable.date,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Promise; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(promiseTable.id, sql.placeholder('id'))
  const own = eq(promiseTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(promiseTable.id, sql.placeholder('after'))
  const changes = {
    object: given('object'),
    date: given('date'),
  }

  return {
    find: drizzle
      .select({ id: promiseTable.id, owner: promiseTable._owner })
      .from(promiseTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(promiseTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        object: given('object'),
        date: given('date'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(promiseTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(promiseTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(promiseTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(promiseTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(promiseTable).where(one).returning({ id: promiseTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(promiseTable)
      .where(ownOne)
      .returning({ id: promiseTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(promiseTable)
      .where(behind)
      .orderBy(promiseTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
