import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Check } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { checkTable, orderTable } from '../schema.ts'

const columns = {
  id: checkTable.id,
  parentId: checkTable._parent,
  group: checkTable.group,
  unique: checkTable.unique,
}

const row = {
  id: checkTable.id,
  parentId: sql<string>`${checkTable._parent}`.as('parentId'),
  group: checkTable.group,
  unique: checkTable.unique,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Check; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(orderTable.id, sql.placeholder('_parent'))
  const inParent = eq(checkTable._parent, sql.placeholder('_parent'))
  const one = and(eq(checkTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(checkTable.id, sql.placeholder('after')), inParent)
  const owner = eq(orderTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(orderTable)
      .where(and(eq(orderTable.id, checkTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const ownBehind = and(behind, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: orderTable.id,
    group: sql<string>`${given('group')}::uuid`.as('group'),
    unique: sql<number>`${given('unique')}::integer`.as('unique'),
  }
  const changes = {
    group: given('group'),
    unique: given('unique'),
  }

  return {
    create: drizzle
      .insert(checkTable)
      .select(drizzle.select(entry).from(orderTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(checkTable)
      .select(drizzle.select(entry).from(orderTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(checkTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(checkTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(checkTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(checkTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(checkTable).where(one).returning({ id: checkTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(checkTable).where(ownOne).returning({ id: checkTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(checkTable)
      .where(behind)
      .orderBy(checkTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Check>(
      drizzle,
      drizzle
        .select(row)
        .from(checkTable)
        .where(ownBehind)
        .orderBy(checkTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: checkTable.id })
      .from(checkTable)
      .where(ownBehind)
      .orderBy(checkTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
