import { eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { homeTable } from '../schema.ts'

const columns = {
  id: homeTable.id,
  rooms: homeTable.rooms,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Home; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(homeTable.id, sql.placeholder('id'))
  const behind = gt(homeTable.id, sql.placeholder('after'))
  const changes = {
    rooms: given('rooms'),
  }

  return {
    find: drizzle.select({ id: homeTable.id }).from(homeTable).where(one).prepare('find'),
    create: drizzle
      .insert(homeTable)
      .values({
        id: given('id'),
        rooms: given('rooms'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(homeTable).where(one).prepare('read'),
    update: drizzle.update(homeTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(homeTable).where(one).returning({ id: homeTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(homeTable)
      .where(behind)
      .orderBy(homeTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: homeTable.id })
      .from(homeTable)
      .where(sql`${homeTable.id} = any(${sql.placeholder('ids')}::uuid[])`)
      .prepare('readable'),
  }
}
