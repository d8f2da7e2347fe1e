import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { functionTable } from '../schema.ts'

const columns = {
  id: functionTable.id,
  name: functionTable.name,
  arguments: functionTable.arguments,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Function; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(functionTable.id, sql.placeholder('id'))
  const own = eq(functionTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(functionTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
    arguments: given('arguments'),
  }

  return {
    find: drizzle
      .select({ id: functionTable.id, owner: functionTable._owner })
      .from(functionTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(functionTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        name: given('name'),
        arguments: given('arguments'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(functionTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(functionTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(functionTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(functionTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(functionTable).where(one).returning({ id: functionTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(functionTable)
      .where(ownOne)
      .returning({ id: functionTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(functionTable)
      .where(behind)
      .orderBy(functionTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
