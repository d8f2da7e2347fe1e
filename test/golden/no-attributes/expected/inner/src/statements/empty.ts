import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Empty } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { emptyTable, innerTable } from '../schema.ts'

const columns = {
  id: emptyTable.id,
  parentId: emptyTable._parent,
}

const row = {
  id: emptyTable.id,
  parentId: sql<string>`${emptyTable._parent}`.as('parentId'),
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Empty; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(innerTable.id, sql.placeholder('_parent'))
  const inParent = eq(emptyTable._parent, sql.placeholder('_parent'))
  const one = and(eq(emptyTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(emptyTable.id, sql.placeholder('after')), inParent)
  const owner = eq(innerTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(innerTable)
      .where(and(eq(innerTable.id, emptyTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const ownBehind = and(behind, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: innerTable.id,
  }
  const changes = {
    id: sql`${emptyTable.id}`,
  }

  return {
    create: drizzle
      .insert(emptyTable)
      .select(drizzle.select(entry).from(innerTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(emptyTable)
      .select(drizzle.select(entry).from(innerTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(emptyTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(emptyTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(emptyTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(emptyTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(emptyTable).where(one).returning({ id: emptyTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(emptyTable).where(ownOne).returning({ id: emptyTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(emptyTable)
      .where(behind)
      .orderBy(emptyTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Empty>(
      drizzle,
      drizzle
        .select(row)
        .from(emptyTable)
        .where(ownBehind)
        .orderBy(emptyTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: emptyTable.id })
      .from(emptyTable)
      .where(ownBehind)
      .orderBy(emptyTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
