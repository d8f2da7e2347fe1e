import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { entryTable } from '../schema.ts'

const columns = {
  id: entryTable.id,
  topic: entryTable.topic,
  text: entryTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Entry; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(entryTable.id, sql.placeholder('id'))
  const own = eq(entryTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(entryTable.id, sql.placeholder('after'))
  const changes = {
    topic: given('topic'),
    text: given('text'),
  }

  return {
    find: drizzle
      .select({ id: entryTable.id, owner: entryTable._owner })
      .from(entryTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(entryTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        topic: given('topic'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(entryTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(entryTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(entryTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(entryTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(entryTable).where(one).returning({ id: entryTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(entryTable).where(ownOne).returning({ id: entryTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(entryTable)
      .where(behind)
      .orderBy(entryTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
