import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Paper } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { drawerTable, paperTable } from '../schema.ts'

const columns = {
  id: paperTable.id,
  parentId: paperTable._parent,
  text: paperTable.text,
}

const row = {
  id: paperTable.id,
  parentId: sql<string>`${paperTable._parent}`.as('parentId'),
  text: paperTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Paper; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(drawerTable.id, sql.placeholder('_parent'))
  const inParent = eq(paperTable._parent, sql.placeholder('_parent'))
  const one = and(eq(paperTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(paperTable.id, sql.placeholder('after')), inParent)
  const owner = eq(drawerTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(drawerTable)
      .where(and(eq(drawerTable.id, paperTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const ownBehind = and(behind, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: drawerTable.id,
    text: sql<string>`${given('text')}::text`.as('text'),
  }
  const changes = {
    text: given('text'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${paperTable.text}))
        over (order by ${paperTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(paperTable)
    .where(ownBehind)
    .orderBy(paperTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    create: drizzle
      .insert(paperTable)
      .select(drizzle.select(entry).from(drawerTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(paperTable)
      .select(drizzle.select(entry).from(drawerTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(paperTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(paperTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(paperTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(paperTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(paperTable).where(one).returning({ id: paperTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(paperTable).where(ownOne).returning({ id: paperTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(paperTable)
      .where(behind)
      .orderBy(paperTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Paper>(
      drizzle,
      drizzle
        .select({
          id: batch.id,
          parentId: batch.parentId,
          text: batch.text,
        })
        .from(batch)
        .where(sql`coalesce(${batch._bytesBefore}, 0) < ${BATCH_BYTES}`)
        .orderBy(batch.id),
    ),
    pageEnd: drizzle
      .select({ id: paperTable.id })
      .from(paperTable)
      .where(ownBehind)
      .orderBy(paperTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
