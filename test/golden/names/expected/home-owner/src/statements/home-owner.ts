import { eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { homeOwnerTable } from '../schema.ts'

const columns = {
  id: homeOwnerTable.id,
  home: homeOwnerTable.home,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on HomeOwner; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(homeOwnerTable.id, sql.placeholder('id'))
  const behind = gt(homeOwnerTable.id, sql.placeholder('after'))
  const changes = {
    home: given('home'),
  }

  return {
    find: drizzle.select({ id: homeOwnerTable.id }).from(homeOwnerTable).where(one).prepare('find'),
    create: drizzle
      .insert(homeOwnerTable)
      .values({
        id: given('id'),
        home: given('home'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(homeOwnerTable).where(one).prepare('read'),
    update: drizzle.update(homeOwnerTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(homeOwnerTable).where(one).returning({ id: homeOwnerTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(homeOwnerTable)
      .where(behind)
      .orderBy(homeOwnerTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
