import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Stamp } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { posterTable, stampTable } from '../schema.ts'

const columns = {
  id: stampTable.id,
  parentId: stampTable._parent,
  place: stampTable.place,
}

const row = {
  id: stampTable.id,
  parentId: sql<string>`${stampTable._parent}`.as('parentId'),
  place: stampTable.place,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Stamp; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(posterTable.id, sql.placeholder('_parent'))
  const inParent = eq(stampTable._parent, sql.placeholder('_parent'))
  const one = and(eq(stampTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(stampTable.id, sql.placeholder('after')), inParent)
  const owner = eq(posterTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(posterTable)
      .where(and(eq(posterTable.id, stampTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: posterTable.id,
    place: sql<string>`${given('place')}::text`.as('place'),
  }
  const changes = {
    place: given('place'),
  }

  return {
    create: drizzle
      .insert(stampTable)
      .select(drizzle.select(entry).from(posterTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(stampTable)
      .select(drizzle.select(entry).from(posterTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(stampTable).where(one).prepare('read'),
    update: drizzle.update(stampTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(stampTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(stampTable).where(one).returning({ id: stampTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(stampTable).where(ownOne).returning({ id: stampTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(stampTable)
      .where(behind)
      .orderBy(stampTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Stamp>(
      drizzle,
      drizzle
        .select(row)
        .from(stampTable)
        .where(behind)
        .orderBy(stampTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: stampTable.id })
      .from(stampTable)
      .where(behind)
      .orderBy(stampTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
