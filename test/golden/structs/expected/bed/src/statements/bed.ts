import { eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Bed } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { bedTable } from '../schema.ts'

const columns = {
  id: bedTable.id,
  name: bedTable.name,
}

const row = {
  id: bedTable.id,
  name: bedTable.name,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Bed; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(bedTable.id, sql.placeholder('id'))
  const behind = gt(bedTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
  }

  return {
    find: drizzle.select({ id: bedTable.id }).from(bedTable).where(one).prepare('find'),
    create: drizzle
      .insert(bedTable)
      .values({
        id: given('id'),
        name: given('name'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(bedTable).where(one).prepare('read'),
    update: drizzle.update(bedTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(bedTable).where(one).returning({ id: bedTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(bedTable)
      .where(behind)
      .orderBy(bedTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Bed>(
      drizzle,
      drizzle.select(row).from(bedTable).where(behind).orderBy(bedTable.id).limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: bedTable.id })
      .from(bedTable)
      .where(behind)
      .orderBy(bedTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
