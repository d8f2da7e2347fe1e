import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Group } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { groupTable, orderTable } from '../schema.ts'

const columns = {
  id: groupTable.id,
  parentId: groupTable._parent,
  all: groupTable.all,
  user: groupTable.user,
}

const row = {
  id: groupTable.id,
  parentId: sql<string>`${groupTable._parent}`.as('parentId'),
  all: groupTable.all,
  user: groupTable.user,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Group; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(orderTable.id, sql.placeholder('_parent'))
  const inParent = eq(groupTable._parent, sql.placeholder('_parent'))
  const one = and(eq(groupTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(groupTable.id, sql.placeholder('after')), inParent)
  const owner = eq(orderTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(orderTable)
      .where(and(eq(orderTable.id, groupTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const ownBehind = and(behind, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: orderTable.id,
    all: sql<boolean>`${given('all')}::boolean`.as('all'),
    user: sql<string>`${given('user')}::uuid`.as('user'),
  }
  const changes = {
    all: given('all'),
    user: given('user'),
  }

  return {
    create: drizzle
      .insert(groupTable)
      .select(drizzle.select(entry).from(orderTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(groupTable)
      .select(drizzle.select(entry).from(orderTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(groupTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(groupTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(groupTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(groupTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(groupTable).where(one).returning({ id: groupTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(groupTable).where(ownOne).returning({ id: groupTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(groupTable)
      .where(behind)
      .orderBy(groupTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Group>(
      drizzle,
      drizzle
        .select(row)
        .from(groupTable)
        .where(ownBehind)
        .orderBy(groupTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: groupTable.id })
      .from(groupTable)
      .where(ownBehind)
      .orderBy(groupTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
