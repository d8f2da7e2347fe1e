import { eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { aTable } from '../schema.ts'

const columns = {
  id: aTable.id,
  b: aTable.b,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on A; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(aTable.id, sql.placeholder('id'))
  const behind = gt(aTable.id, sql.placeholder('after'))
  const changes = {
    b: given('b'),
  }

  return {
    find: drizzle.select({ id: aTable.id }).from(aTable).where(one).prepare('find'),
    create: drizzle
      .insert(aTable)
      .values({
        id: given('id'),
        b: given('b'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(aTable).where(one).prepare('read'),
    update: drizzle.update(aTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(aTable).where(one).returning({ id: aTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(aTable)
      .where(behind)
      .orderBy(aTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
