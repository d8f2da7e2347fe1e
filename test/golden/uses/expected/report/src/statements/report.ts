import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { reportTable } from '../schema.ts'

const columns = {
  id: reportTable.id,
  text: reportTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Report; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(reportTable.id, sql.placeholder('id'))
  const own = eq(reportTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(reportTable.id, sql.placeholder('after'))
  const changes = {
    text: sql`coalesce(${given('text')}, ${reportTable.text})`,
  }

  return {
    find: drizzle
      .select({ id: reportTable.id, owner: reportTable._owner })
      .from(reportTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(reportTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(reportTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(reportTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(reportTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(reportTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(reportTable).where(one).returning({ id: reportTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(reportTable).where(ownOne).returning({ id: reportTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(reportTable)
      .where(behind)
      .orderBy(reportTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: reportTable.id })
      .from(reportTable)
      .where(and(sql`${reportTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
