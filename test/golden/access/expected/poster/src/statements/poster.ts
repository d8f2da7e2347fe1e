import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Poster } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { posterTable } from '../schema.ts'

const columns = {
  id: posterTable.id,
  text: posterTable.text,
}

const row = {
  id: posterTable.id,
  text: posterTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Poster; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(posterTable.id, sql.placeholder('id'))
  const own = eq(posterTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(posterTable.id, sql.placeholder('after'))
  const changes = {
    text: given('text'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${posterTable.text}))
        over (order by ${posterTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(posterTable)
    .where(behind)
    .orderBy(posterTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    find: drizzle
      .select({ id: posterTable.id, owner: posterTable._owner })
      .from(posterTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(posterTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(posterTable).where(one).prepare('read'),
    update: drizzle.update(posterTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(posterTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(posterTable).where(one).returning({ id: posterTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(posterTable).where(ownOne).returning({ id: posterTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(posterTable)
      .where(behind)
      .orderBy(posterTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Poster>(
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
      .select({ id: posterTable.id })
      .from(posterTable)
      .where(behind)
      .orderBy(posterTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
