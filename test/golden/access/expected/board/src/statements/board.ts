import { eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Board } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { boardTable } from '../schema.ts'

const columns = {
  id: boardTable.id,
  text: boardTable.text,
}

const row = {
  id: boardTable.id,
  text: boardTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Board; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(boardTable.id, sql.placeholder('id'))
  const behind = gt(boardTable.id, sql.placeholder('after'))
  const changes = {
    text: given('text'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${boardTable.text}))
        over (order by ${boardTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(boardTable)
    .where(behind)
    .orderBy(boardTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    find: drizzle
      .select({ id: boardTable.id, owner: boardTable._owner })
      .from(boardTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(boardTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(boardTable).where(one).prepare('read'),
    update: drizzle.update(boardTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(boardTable).where(one).returning({ id: boardTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(boardTable)
      .where(behind)
      .orderBy(boardTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Board>(
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
      .select({ id: boardTable.id })
      .from(boardTable)
      .where(behind)
      .orderBy(boardTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
