import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { ReadOnly } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { readOnlyTable } from '../schema.ts'

const columns = {
  id: readOnlyTable.id,
  text: readOnlyTable.text,
}

const row = {
  id: readOnlyTable.id,
  text: readOnlyTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on ReadOnly; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(readOnlyTable.id, sql.placeholder('id'))
  const own = eq(readOnlyTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(readOnlyTable.id, sql.placeholder('after'))
  const ownBehind = and(behind, own)
  const changes = {
    text: sql`coalesce(${given('text')}, ${readOnlyTable.text})`,
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${readOnlyTable.text}))
        over (order by ${readOnlyTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(readOnlyTable)
    .where(ownBehind)
    .orderBy(readOnlyTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    find: drizzle
      .select({ id: readOnlyTable.id, owner: readOnlyTable._owner })
      .from(readOnlyTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(readOnlyTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(readOnlyTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(readOnlyTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(readOnlyTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(readOnlyTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(readOnlyTable).where(one).returning({ id: readOnlyTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(readOnlyTable)
      .where(ownOne)
      .returning({ id: readOnlyTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(readOnlyTable)
      .where(behind)
      .orderBy(readOnlyTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<ReadOnly>(
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
      .select({ id: readOnlyTable.id })
      .from(readOnlyTable)
      .where(ownBehind)
      .orderBy(readOnlyTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
