import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { stringTable } from '../schema.ts'

const columns = {
  id: stringTable.id,
  length: stringTable.length,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on String; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(stringTable.id, sql.placeholder('id'))
  const own = eq(stringTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(stringTable.id, sql.placeholder('after'))
  const changes = {
    length: given('length'),
  }

  return {
    find: drizzle
      .select({ id: stringTable.id, owner: stringTable._owner })
      .from(stringTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(stringTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        length: given('length'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(stringTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(stringTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(stringTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(stringTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(stringTable).where(one).returning({ id: stringTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(stringTable).where(ownOne).returning({ id: stringTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(stringTable)
      .where(behind)
      .orderBy(stringTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
