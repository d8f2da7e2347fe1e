import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { sampleTable } from '../schema.ts'

const columns = {
  id: sampleTable.id,
  station: sampleTable.station,
  celsius: sampleTable.celsius,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Sample; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(sampleTable.id, sql.placeholder('id'))
  const own = eq(sampleTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(sampleTable.id, sql.placeholder('after'))
  const changes = {
    station: given('station'),
    celsius: given('celsius'),
  }

  return {
    find: drizzle
      .select({ id: sampleTable.id, owner: sampleTable._owner })
      .from(sampleTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(sampleTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        station: given('station'),
        celsius: given('celsius'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(sampleTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(sampleTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(sampleTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(sampleTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(sampleTable).where(one).returning({ id: sampleTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(sampleTable).where(ownOne).returning({ id: sampleTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(sampleTable)
      .where(behind)
      .orderBy(sampleTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    readable: drizzle
      .select({ id: sampleTable.id })
      .from(sampleTable)
      .where(and(sql`${sampleTable.id} = any(${sql.placeholder('ids')}::uuid[])`, own))
      .prepare('readable'),
  }
}
