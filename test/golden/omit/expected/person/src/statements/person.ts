import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { personTable } from '../schema.ts'

const columns = {
  id: personTable.id,
  name: personTable.name,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Person; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(personTable.id, sql.placeholder('id'))
  const own = eq(personTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(personTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
  }

  return {
    find: drizzle
      .select({ id: personTable.id, owner: personTable.id })
      .from(personTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(personTable)
      .values({
        id: given('id'),
        name: given('name'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(personTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(personTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(personTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(personTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(personTable).where(one).returning({ id: personTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(personTable).where(ownOne).returning({ id: personTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(personTable)
      .where(behind)
      .orderBy(personTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
