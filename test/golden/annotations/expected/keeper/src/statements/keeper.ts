import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { keeperTable } from '../schema.ts'

const columns = {
  id: keeperTable.id,
  name: keeperTable.name,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Keeper; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(keeperTable.id, sql.placeholder('id'))
  const own = eq(keeperTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(keeperTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
  }

  return {
    find: drizzle
      .select({ id: keeperTable.id, owner: keeperTable.id })
      .from(keeperTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(keeperTable)
      .values({
        id: given('id'),
        name: given('name'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(keeperTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(keeperTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(keeperTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(keeperTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(keeperTable).where(one).returning({ id: keeperTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(keeperTable).where(ownOne).returning({ id: keeperTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(keeperTable)
      .where(behind)
      .orderBy(keeperTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: keeperTable.id })
      .from(keeperTable)
      .where(and(sql`${keeperTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
