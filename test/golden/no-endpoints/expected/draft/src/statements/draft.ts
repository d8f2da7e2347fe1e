import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { draftTable } from '../schema.ts'

const columns = {
  id: draftTable.id,
  text: draftTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Draft; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(draftTable.id, sql.placeholder('id'))
  const own = eq(draftTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(draftTable.id, sql.placeholder('after'))
  const changes = {
    text: given('text'),
  }

  return {
    create: drizzle
      .insert(draftTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(draftTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(draftTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(draftTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(draftTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(draftTable).where(one).returning({ id: draftTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(draftTable).where(ownOne).returning({ id: draftTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(draftTable)
      .where(behind)
      .orderBy(draftTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
