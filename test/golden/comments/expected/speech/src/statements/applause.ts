import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Applause } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { applauseTable, speechTable } from '../schema.ts'

const columns = {
  id: applauseTable.id,
  parentId: applauseTable._parent,
  loudness: applauseTable.loudness,
}

const row = {
  id: applauseTable.id,
  parentId: sql<string>`${applauseTable._parent}`.as('parentId'),
  loudness: applauseTable.loudness,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Applause; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(speechTable.id, sql.placeholder('_parent'))
  const inParent = eq(applauseTable._parent, sql.placeholder('_parent'))
  const one = and(eq(applauseTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(applauseTable.id, sql.placeholder('after')), inParent)
  const owner = eq(speechTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(speechTable)
      .where(and(eq(speechTable.id, applauseTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const ownBehind = and(behind, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: speechTable.id,
    loudness: sql<number>`${given('loudness')}::double precision`.as('loudness'),
  }
  const changes = {
    loudness: given('loudness'),
  }

  return {
    create: drizzle
      .insert(applauseTable)
      .select(drizzle.select(entry).from(speechTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(applauseTable)
      .select(drizzle.select(entry).from(speechTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(applauseTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(applauseTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(applauseTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(applauseTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(applauseTable).where(one).returning({ id: applauseTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(applauseTable)
      .where(ownOne)
      .returning({ id: applauseTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(applauseTable)
      .where(behind)
      .orderBy(applauseTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Applause>(
      drizzle,
      drizzle
        .select(row)
        .from(applauseTable)
        .where(ownBehind)
        .orderBy(applauseTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: applauseTable.id })
      .from(applauseTable)
      .where(ownBehind)
      .orderBy(applauseTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
