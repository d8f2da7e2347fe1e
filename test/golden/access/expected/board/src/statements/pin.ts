import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Pin } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { boardTable, pinTable } from '../schema.ts'

const columns = {
  id: pinTable.id,
  parentId: pinTable._parent,
  colour: pinTable.colour,
}

const row = {
  id: pinTable.id,
  parentId: sql<string>`${pinTable._parent}`.as('parentId'),
  colour: pinTable.colour,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Pin; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(boardTable.id, sql.placeholder('_parent'))
  const inParent = eq(pinTable._parent, sql.placeholder('_parent'))
  const one = and(eq(pinTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(pinTable.id, sql.placeholder('after')), inParent)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: boardTable.id,
    colour: sql<string>`${given('colour')}::text`.as('colour'),
  }
  const changes = {
    colour: given('colour'),
  }

  return {
    create: drizzle
      .insert(pinTable)
      .select(drizzle.select(entry).from(boardTable).where(parent))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(pinTable).where(one).prepare('read'),
    update: drizzle.update(pinTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(pinTable).where(one).returning({ id: pinTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(pinTable)
      .where(behind)
      .orderBy(pinTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Pin>(
      drizzle,
      drizzle.select(row).from(pinTable).where(behind).orderBy(pinTable.id).limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: pinTable.id })
      .from(pinTable)
      .where(behind)
      .orderBy(pinTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
