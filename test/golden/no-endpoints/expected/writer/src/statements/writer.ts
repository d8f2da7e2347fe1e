import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { writerTable } from '../schema.ts'

const columns = {
  id: writerTable.id,
  name: writerTable.name,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Writer; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(writerTable.id, sql.placeholder('id'))
  const own = eq(writerTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(writerTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
  }

  return {
    find: drizzle
      .select({ id: writerTable.id, owner: writerTable.id })
      .from(writerTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(writerTable)
      .values({
        id: given('id'),
        name: given('name'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(writerTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(writerTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(writerTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(writerTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(writerTable).where(one).returning({ id: writerTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(writerTable).where(ownOne).returning({ id: writerTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(writerTable)
      .where(behind)
      .orderBy(writerTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
