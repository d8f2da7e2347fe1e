import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Edge } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { drawingTable, edgeTable } from '../schema.ts'

const columns = {
  id: edgeTable.id,
  parentId: edgeTable._parent,
  from: edgeTable.from,
  to: edgeTable.to,
  weight: edgeTable.weight,
}

const row = {
  id: edgeTable.id,
  parentId: sql<string>`${edgeTable._parent}`.as('parentId'),
  from: edgeTable.from,
  to: edgeTable.to,
  weight: edgeTable.weight,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Edge; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(drawingTable.id, sql.placeholder('_parent'))
  const inParent = eq(edgeTable._parent, sql.placeholder('_parent'))
  const one = and(eq(edgeTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(edgeTable.id, sql.placeholder('after')), inParent)
  const owner = eq(drawingTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(drawingTable)
      .where(and(eq(drawingTable.id, edgeTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: drawingTable.id,
    from: sql<string>`${given('from')}::uuid`.as('from'),
    to: sql<string>`${given('to')}::uuid`.as('to'),
    weight: sql<number>`${given('weight')}::double precision`.as('weight'),
  }
  const changes = {
    from: given('from'),
    to: given('to'),
    weight: given('weight'),
  }

  return {
    create: drizzle
      .insert(edgeTable)
      .select(drizzle.select(entry).from(drawingTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(edgeTable)
      .select(drizzle.select(entry).from(drawingTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(edgeTable).where(one).prepare('read'),
    update: drizzle.update(edgeTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(edgeTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(edgeTable).where(one).returning({ id: edgeTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(edgeTable).where(ownOne).returning({ id: edgeTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(edgeTable)
      .where(behind)
      .orderBy(edgeTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Edge>(
      drizzle,
      drizzle.select(row).from(edgeTable).where(behind).orderBy(edgeTable.id).limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: edgeTable.id })
      .from(edgeTable)
      .where(behind)
      .orderBy(edgeTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
