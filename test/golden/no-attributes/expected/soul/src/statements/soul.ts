import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { soulTable } from '../schema.ts'

const columns = {
  id: soulTable.id,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Soul; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(soulTable.id, sql.placeholder('id'))
  const own = eq(soulTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(soulTable.id, sql.placeholder('after'))
  const changes = {
    id: sql`${soulTable.id}`,
  }

  return {
    find: drizzle
      .select({ id: soulTable.id, owner: soulTable.id })
      .from(soulTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(soulTable)
      .values({
        id: given('id'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(soulTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(soulTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(soulTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(soulTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(soulTable).where(one).returning({ id: soulTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(soulTable).where(ownOne).returning({ id: soulTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(soulTable)
      .where(behind)
      .orderBy(soulTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
