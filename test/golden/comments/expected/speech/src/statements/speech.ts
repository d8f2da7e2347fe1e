import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { speechTable } from '../schema.ts'

const columns = {
  id: speechTable.id,
  text: speechTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Speech; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(speechTable.id, sql.placeholder('id'))
  const own = eq(speechTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(speechTable.id, sql.placeholder('after'))
  const changes = {
    text: given('text'),
  }

  return {
    find: drizzle
      .select({ id: speechTable.id, owner: speechTable._owner })
      .from(speechTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(speechTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(speechTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(speechTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(speechTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(speechTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(speechTable).where(one).returning({ id: speechTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(speechTable).where(ownOne).returning({ id: speechTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(speechTable)
      .where(behind)
      .orderBy(speechTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
