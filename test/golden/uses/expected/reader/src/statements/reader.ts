import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { readerTable } from '../schema.ts'

const columns = {
  id: readerTable.id,
  name: readerTable.name,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Reader; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(readerTable.id, sql.placeholder('id'))
  const own = eq(readerTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(readerTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
  }

  return {
    find: drizzle
      .select({ id: readerTable.id, owner: readerTable.id })
      .from(readerTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(readerTable)
      .values({
        id: given('id'),
        name: given('name'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(readerTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(readerTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(readerTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(readerTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(readerTable).where(one).returning({ id: readerTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(readerTable).where(ownOne).returning({ id: readerTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(readerTable)
      .where(behind)
      .orderBy(readerTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: readerTable.id })
      .from(readerTable)
      .where(and(sql`${readerTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
