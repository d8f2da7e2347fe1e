import { eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { bTable } from '../schema.ts'

const columns = {
  id: bTable.id,
  proxy: bTable.proxy,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on B; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(bTable.id, sql.placeholder('id'))
  const behind = gt(bTable.id, sql.placeholder('after'))
  const changes = {
    proxy: given('proxy'),
  }

  return {
    find: drizzle.select({ id: bTable.id }).from(bTable).where(one).prepare('find'),
    create: drizzle
      .insert(bTable)
      .values({
        id: given('id'),
        proxy: given('proxy'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(bTable).where(one).prepare('read'),
    update: drizzle.update(bTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(bTable).where(one).returning({ id: bTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(bTable)
      .where(behind)
      .orderBy(bTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: bTable.id })
      .from(bTable)
      .where(sql`${bTable.id} = any(${sql.placeholder('ids')}::uuid[])`)
      .prepare('readable'),
  }
}
