import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { stationTable } from '../schema.ts'

const columns = {
  id: stationTable.id,
  place: stationTable.place,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Station; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(stationTable.id, sql.placeholder('id'))
  const own = eq(stationTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(stationTable.id, sql.placeholder('after'))
  const changes = {
    place: given('place'),
  }

  return {
    find: drizzle
      .select({ id: stationTable.id, owner: stationTable._owner })
      .from(stationTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(stationTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        place: given('place'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(stationTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(stationTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(stationTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(stationTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(stationTable).where(one).returning({ id: stationTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(stationTable)
      .where(ownOne)
      .returning({ id: stationTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(stationTable)
      .where(behind)
      .orderBy(stationTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: stationTable.id })
      .from(stationTable)
      .where(and(sql`${stationTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
