import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Seal } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { itemTable, sealTable } from '../schema.ts'

const columns = {
  id: sealTable.id,
  parentId: sealTable._parent,
  mark: sealTable.mark,
  hidden: sealTable.hidden,
}

const row = {
  id: sealTable.id,
  parentId: sql<string>`${sealTable._parent}`.as('parentId'),
  mark: sealTable.mark,
  hidden: sealTable.hidden,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Seal; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(itemTable.id, sql.placeholder('_parent'))
  const inParent = eq(sealTable._parent, sql.placeholder('_parent'))
  const one = and(eq(sealTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(sealTable.id, sql.placeholder('after')), inParent)
  const owner = eq(itemTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(itemTable)
      .where(and(eq(itemTable.id, sealTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const ownBehind = and(behind, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: itemTable.id,
    mark: sql<string>`${given('mark')}::text`.as('mark'),
    hidden: sql<number>`${given('hidden')}::integer`.as('hidden'),
  }
  const changes = {
    mark: sql`coalesce(${given('mark')}, ${sealTable.mark})`,
    hidden: sql`coalesce(${given('hidden')}, ${sealTable.hidden})`,
  }

  return {
    create: drizzle
      .insert(sealTable)
      .select(drizzle.select(entry).from(itemTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(sealTable)
      .select(drizzle.select(entry).from(itemTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(sealTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(sealTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(sealTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(sealTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(sealTable).where(one).returning({ id: sealTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(sealTable).where(ownOne).returning({ id: sealTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(sealTable)
      .where(behind)
      .orderBy(sealTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Seal>(
      drizzle,
      drizzle
        .select(row)
        .from(sealTable)
        .where(ownBehind)
        .orderBy(sealTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: sealTable.id })
      .from(sealTable)
      .where(ownBehind)
      .orderBy(sealTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
