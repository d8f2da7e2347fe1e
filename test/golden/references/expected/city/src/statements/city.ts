import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { cityTable } from '../schema.ts'

const columns = {
  id: cityTable.id,
  name: cityTable.name,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on City; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(cityTable.id, sql.placeholder('id'))
  const own = eq(cityTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(cityTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
  }

  return {
    find: drizzle
      .select({ id: cityTable.id, owner: cityTable._owner })
      .from(cityTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(cityTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        name: given('name'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(cityTable).where(one).prepare('read'),
    update: drizzle.update(cityTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(cityTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(cityTable).where(one).returning({ id: cityTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(cityTable).where(ownOne).returning({ id: cityTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(cityTable)
      .where(behind)
      .orderBy(cityTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: cityTable.id })
      .from(cityTable)
      .where(sql`${cityTable.id} = any(${sql.placeholder('ids')}::uuid[])`)
      .prepare('readable'),
  }
}
