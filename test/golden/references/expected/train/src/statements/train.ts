import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Train } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { trainTable } from '../schema.ts'

const columns = {
  id: trainTable.id,
  from: trainTable.from,
  to: trainTable.to,
  driver: trainTable.driver,
}

const row = {
  id: trainTable.id,
  from: trainTable.from,
  to: trainTable.to,
  driver: trainTable.driver,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Train; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(trainTable.id, sql.placeholder('id'))
  const own = eq(trainTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(trainTable.id, sql.placeholder('after'))
  const ownBehind = and(behind, own)
  const changes = {
    from: given('from'),
    to: given('to'),
    driver: given('driver'),
  }

  return {
    find: drizzle
      .select({ id: trainTable.id, owner: trainTable._owner })
      .from(trainTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(trainTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        from: given('from'),
        to: given('to'),
        driver: given('driver'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(trainTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(trainTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(trainTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(trainTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(trainTable).where(one).returning({ id: trainTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(trainTable).where(ownOne).returning({ id: trainTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(trainTable)
      .where(behind)
      .orderBy(trainTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Train>(
      drizzle,
      drizzle
        .select(row)
        .from(trainTable)
        .where(ownBehind)
        .orderBy(trainTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: trainTable.id })
      .from(trainTable)
      .where(ownBehind)
      .orderBy(trainTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
    readable: drizzle
      .select({ id: trainTable.id })
      .from(trainTable)
      .where(and(sql`${trainTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
