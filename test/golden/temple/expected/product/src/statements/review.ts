import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Review } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { productTable, reviewTable } from '../schema.ts'

const columns = {
  id: reviewTable.id,
  parentId: reviewTable._parent,
  stars: reviewTable.stars,
  text: reviewTable.text,
}

const row = {
  id: reviewTable.id,
  parentId: sql<string>`${reviewTable._parent}`.as('parentId'),
  stars: reviewTable.stars,
  text: reviewTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Review; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(productTable.id, sql.placeholder('_parent'))
  const inParent = eq(reviewTable._parent, sql.placeholder('_parent'))
  const one = and(eq(reviewTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(reviewTable.id, sql.placeholder('after')), inParent)
  const owner = eq(productTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(productTable)
      .where(and(eq(productTable.id, reviewTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: productTable.id,
    stars: sql<number>`${given('stars')}::integer`.as('stars'),
    text: sql<string>`${given('text')}::text`.as('text'),
  }
  const changes = {
    stars: given('stars'),
    text: given('text'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${reviewTable.text}))
        over (order by ${reviewTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(reviewTable)
    .where(behind)
    .orderBy(reviewTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    create: drizzle
      .insert(reviewTable)
      .select(drizzle.select(entry).from(productTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(reviewTable)
      .select(drizzle.select(entry).from(productTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(reviewTable).where(one).prepare('read'),
    update: drizzle.update(reviewTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(reviewTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(reviewTable).where(one).returning({ id: reviewTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(reviewTable).where(ownOne).returning({ id: reviewTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(reviewTable)
      .where(behind)
      .orderBy(reviewTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Review>(
      drizzle,
      drizzle
        .select({
          id: batch.id,
          parentId: batch.parentId,
          stars: batch.stars,
          text: batch.text,
        })
        .from(batch)
        .where(sql`coalesce(${batch._bytesBefore}, 0) < ${BATCH_BYTES}`)
        .orderBy(batch.id),
    ),
    pageEnd: drizzle
      .select({ id: reviewTable.id })
      .from(reviewTable)
      .where(behind)
      .orderBy(reviewTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
