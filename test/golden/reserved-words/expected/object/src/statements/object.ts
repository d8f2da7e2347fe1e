import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { objectTable } from '../schema.ts'

const columns = {
  id: objectTable.id,
  value: objectTable.value,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Object; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(objectTable.id, sql.placeholder('id'))
  const own = eq(objectTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(objectTable.id, sql.placeholder('after'))
  const changes = {
    value: given('value'),
  }

  return {
    find: drizzle
      .select({ id: objectTable.id, owner: objectTable._owner })
      .from(objectTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(objectTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        value: given('value'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(objectTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(objectTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(objectTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(objectTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(objectTable).where(one).returning({ id: objectTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(objectTable).where(ownOne).returning({ id: objectTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(objectTable)
      .where(behind)
      .orderBy(objectTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: objectTable.id })
      .from(objectTable)
      .where(and(sql`${objectTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
