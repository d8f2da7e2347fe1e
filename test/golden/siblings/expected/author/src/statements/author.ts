import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { authorTable } from '../schema.ts'

const columns = {
  id: authorTable.id,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Author; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(authorTable.id, sql.placeholder('id'))
  const own = eq(authorTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(authorTable.id, sql.placeholder('after'))
  const changes = {
    id: sql`${authorTable.id}`,
  }

  return {
    find: drizzle
      .select({ id: authorTable.id, owner: authorTable.id })
      .from(authorTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(authorTable)
      .values({
        id: given('id'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(authorTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(authorTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(authorTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(authorTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(authorTable).where(one).returning({ id: authorTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(authorTable).where(ownOne).returning({ id: authorTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(authorTable)
      .where(behind)
      .orderBy(authorTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
