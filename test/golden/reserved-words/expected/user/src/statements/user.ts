import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { userTable } from '../schema.ts'

const columns = {
  id: userTable.id,
  order: userTable.order,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on User; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(userTable.id, sql.placeholder('id'))
  const own = eq(userTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(userTable.id, sql.placeholder('after'))
  const changes = {
    order: given('order'),
  }

  return {
    find: drizzle
      .select({ id: userTable.id, owner: userTable.id })
      .from(userTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(userTable)
      .values({
        id: given('id'),
        order: given('order'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(userTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(userTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(userTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(userTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(userTable).where(one).returning({ id: userTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(userTable).where(ownOne).returning({ id: userTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(userTable)
      .where(behind)
      .orderBy(userTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: userTable.id })
      .from(userTable)
      .where(and(sql`${userTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
