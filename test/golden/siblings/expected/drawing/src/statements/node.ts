import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Node } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { drawingTable, nodeTable } from '../schema.ts'

const columns = {
  id: nodeTable.id,
  parentId: nodeTable._parent,
  label: nodeTable.label,
}

const row = {
  id: nodeTable.id,
  parentId: sql<string>`${nodeTable._parent}`.as('parentId'),
  label: nodeTable.label,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Node; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(drawingTable.id, sql.placeholder('_parent'))
  const inParent = eq(nodeTable._parent, sql.placeholder('_parent'))
  const one = and(eq(nodeTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(nodeTable.id, sql.placeholder('after')), inParent)
  const owner = eq(drawingTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(drawingTable)
      .where(and(eq(drawingTable.id, nodeTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: drawingTable.id,
    label: sql<string>`${given('label')}::text`.as('label'),
  }
  const changes = {
    label: given('label'),
  }

  return {
    create: drizzle
      .insert(nodeTable)
      .select(drizzle.select(entry).from(drawingTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(nodeTable)
      .select(drizzle.select(entry).from(drawingTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(nodeTable).where(one).prepare('read'),
    update: drizzle.update(nodeTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(nodeTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(nodeTable).where(one).returning({ id: nodeTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(nodeTable).where(ownOne).returning({ id: nodeTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(nodeTable)
      .where(behind)
      .orderBy(nodeTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Node>(
      drizzle,
      drizzle.select(row).from(nodeTable).where(behind).orderBy(nodeTable.id).limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: nodeTable.id })
      .from(nodeTable)
      .where(behind)
      .orderBy(nodeTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
