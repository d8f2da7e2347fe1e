import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { hooksTable } from '../schema.ts'

const columns = {
  id: hooksTable.id,
  config: hooksTable.config,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Hooks; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(hooksTable.id, sql.placeholder('id'))
  const own = eq(hooksTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(hooksTable.id, sql.placeholder('after'))
  const changes = {
    config: given('config'),
  }

  return {
    find: drizzle
      .select({ id: hooksTable.id, owner: hooksTable._owner })
      .from(hooksTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(hooksTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        config: given('config'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(hooksTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(hooksTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(hooksTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(hooksTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(hooksTable).where(one).returning({ id: hooksTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(hooksTable).where(ownOne).returning({ id: hooksTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(hooksTable)
      .where(behind)
      .orderBy(hooksTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
