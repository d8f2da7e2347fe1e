import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { ListOnly } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { listOnlyTable } from '../schema.ts'

const columns = {
  id: listOnlyTable.id,
  text: listOnlyTable.text,
}

const row = {
  id: listOnlyTable.id,
  text: listOnlyTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on ListOnly; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(listOnlyTable.id, sql.placeholder('id'))
  const own = eq(listOnlyTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(listOnlyTable.id, sql.placeholder('after'))
  const ownBehind = and(behind, own)
  const changes = {
    text: given('text'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${listOnlyTable.text}))
        over (order by ${listOnlyTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(listOnlyTable)
    .where(ownBehind)
    .orderBy(listOnlyTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    create: drizzle
      .insert(listOnlyTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(listOnlyTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(listOnlyTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(listOnlyTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(listOnlyTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(listOnlyTable).where(one).returning({ id: listOnlyTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(listOnlyTable)
      .where(ownOne)
      .returning({ id: listOnlyTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(listOnlyTable)
      .where(behind)
      .orderBy(listOnlyTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<ListOnly>(
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
      .select({ id: listOnlyTable.id })
      .from(listOnlyTable)
      .where(ownBehind)
      .orderBy(listOnlyTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
