import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { writeOnlyTable } from '../schema.ts'

const columns = {
  id: writeOnlyTable.id,
  text: writeOnlyTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on WriteOnly; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(writeOnlyTable.id, sql.placeholder('id'))
  const own = eq(writeOnlyTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(writeOnlyTable.id, sql.placeholder('after'))
  const changes = {
    text: given('text'),
  }

  return {
    create: drizzle
      .insert(writeOnlyTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(writeOnlyTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(writeOnlyTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(writeOnlyTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(writeOnlyTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(writeOnlyTable).where(one).returning({ id: writeOnlyTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(writeOnlyTable)
      .where(ownOne)
      .returning({ id: writeOnlyTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(writeOnlyTable)
      .where(behind)
      .orderBy(writeOnlyTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
