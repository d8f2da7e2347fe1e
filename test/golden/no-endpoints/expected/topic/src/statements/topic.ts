import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { topicTable } from '../schema.ts'

const columns = {
  id: topicTable.id,
  title: topicTable.title,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Topic; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(topicTable.id, sql.placeholder('id'))
  const own = eq(topicTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(topicTable.id, sql.placeholder('after'))
  const changes = {
    title: given('title'),
  }

  return {
    create: drizzle
      .insert(topicTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        title: given('title'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(topicTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(topicTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(topicTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(topicTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(topicTable).where(one).returning({ id: topicTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(topicTable).where(ownOne).returning({ id: topicTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(topicTable)
      .where(behind)
      .orderBy(topicTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: topicTable.id })
      .from(topicTable)
      .where(and(sql`${topicTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
