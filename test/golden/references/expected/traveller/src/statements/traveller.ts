import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { travellerTable } from '../schema.ts'

const columns = {
  id: travellerTable.id,
  name: travellerTable.name,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Traveller; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(travellerTable.id, sql.placeholder('id'))
  const own = eq(travellerTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(travellerTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
  }

  return {
    find: drizzle
      .select({ id: travellerTable.id, owner: travellerTable.id })
      .from(travellerTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(travellerTable)
      .values({
        id: given('id'),
        name: given('name'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(travellerTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(travellerTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(travellerTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(travellerTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(travellerTable).where(one).returning({ id: travellerTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(travellerTable)
      .where(ownOne)
      .returning({ id: travellerTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(travellerTable)
      .where(behind)
      .orderBy(travellerTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: travellerTable.id })
      .from(travellerTable)
      .where(sql`${travellerTable.id} = any(${sql.placeholder('ids')}::uuid[])`)
      .prepare('readable'),
  }
}
