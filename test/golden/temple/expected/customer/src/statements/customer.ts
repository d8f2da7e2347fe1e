import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { customerTable } from '../schema.ts'

const columns = {
  id: customerTable.id,
  name: customerTable.name,
  loyalty: customerTable.loyalty,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Customer; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(customerTable.id, sql.placeholder('id'))
  const own = eq(customerTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(customerTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
    loyalty: sql`coalesce(${given('loyalty')}, ${customerTable.loyalty})`,
  }

  return {
    find: drizzle
      .select({ id: customerTable.id, owner: customerTable.id })
      .from(customerTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(customerTable)
      .values({
        id: given('id'),
        name: given('name'),
        loyalty: given('loyalty'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(customerTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(customerTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(customerTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(customerTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(customerTable).where(one).returning({ id: customerTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(customerTable)
      .where(ownOne)
      .returning({ id: customerTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(customerTable)
      .where(behind)
      .orderBy(customerTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
