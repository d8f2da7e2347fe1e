import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Drawer } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { drawerTable } from '../schema.ts'

const columns = {
  id: drawerTable.id,
  text: drawerTable.text,
}

const row = {
  id: drawerTable.id,
  text: drawerTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Drawer; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(drawerTable.id, sql.placeholder('id'))
  const own = eq(drawerTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(drawerTable.id, sql.placeholder('after'))
  const ownBehind = and(behind, own)
  const changes = {
    text: given('text'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${drawerTable.text}))
        over (order by ${drawerTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(drawerTable)
    .where(ownBehind)
    .orderBy(drawerTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    find: drizzle
      .select({ id: drawerTable.id, owner: drawerTable._owner })
      .from(drawerTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(drawerTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(drawerTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(drawerTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(drawerTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(drawerTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(drawerTable).where(one).returning({ id: drawerTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(drawerTable).where(ownOne).returning({ id: drawerTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(drawerTable)
      .where(behind)
      .orderBy(drawerTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Drawer>(
      drizzle,
      drizzle
        .select({
          id: batch.id,
          text: batch.text,
        })
        .from(batch)
        .where(sql`coalesce(${batch._bytesBefore}, 0) < ${BATCH_BYTES}`)
        .orderBy(batch.id),
    ),
    pageEnd: drizzle
      .select({ id: drawerTable.id })
      .from(drawerTable)
      .where(ownBehind)
      .orderBy(drawerTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
