import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Worker } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { workerTable } from '../schema.ts'

const columns = {
  id: workerTable.id,
  name: workerTable.name,
}

const row = {
  id: workerTable.id,
  name: workerTable.name,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Worker; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(workerTable.id, sql.placeholder('id'))
  const own = eq(workerTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(workerTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
  }

  return {
    find: drizzle
      .select({ id: workerTable.id, owner: workerTable.id })
      .from(workerTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(workerTable)
      .values({
        id: given('id'),
        name: given('name'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(workerTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(workerTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(workerTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(workerTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(workerTable).where(one).returning({ id: workerTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(workerTable).where(ownOne).returning({ id: workerTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(workerTable)
      .where(behind)
      .orderBy(workerTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Worker>(
      drizzle,
      drizzle
        .select(row)
        .from(workerTable)
        .where(behind)
        .orderBy(workerTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: workerTable.id })
      .from(workerTable)
      .where(behind)
      .orderBy(workerTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
