import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Entry } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { entryTable } from '../schema.ts'

const columns = {
  id: entryTable.id,
  written: entryTable.written,
  text: entryTable.text,
}

const row = {
  id: entryTable.id,
  written: entryTable.written,
  text: entryTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Entry; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(entryTable.id, sql.placeholder('id'))
  const own = eq(entryTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(entryTable.id, sql.placeholder('after'))
  const ownBehind = and(behind, own)
  const changes = {
    written: given('written'),
    text: given('text'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${entryTable.text}))
        over (order by ${entryTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(entryTable)
    .where(ownBehind)
    .orderBy(entryTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    find: drizzle
      .select({ id: entryTable.id, owner: entryTable._owner })
      .from(entryTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(entryTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        written: given('written'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(entryTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(entryTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(entryTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(entryTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(entryTable).where(one).returning({ id: entryTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(entryTable).where(ownOne).returning({ id: entryTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(entryTable)
      .where(behind)
      .orderBy(entryTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Entry>(
      drizzle,
      drizzle
        .select({
          id: batch.id,
          written: batch.written,
          text: batch.text,
        })
        .from(batch)
        .where(sql`coalesce(${batch._bytesBefore}, 0) < ${BATCH_BYTES}`)
        .orderBy(batch.id),
    ),
    pageEnd: drizzle
      .select({ id: entryTable.id })
      .from(entryTable)
      .where(ownBehind)
      .orderBy(entryTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
