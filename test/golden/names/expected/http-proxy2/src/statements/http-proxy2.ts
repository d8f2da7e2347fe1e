import { eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { HTTPProxy2 } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { httpProxy2Table } from '../schema.ts'

const columns = {
  id: httpProxy2Table.id,
  a: httpProxy2Table.a,
  bC: httpProxy2Table.bC,
  dEF: httpProxy2Table.dEF,
  userID: httpProxy2Table.userID,
  ipV4Address: httpProxy2Table.ipV4Address,
  x2y: httpProxy2Table.x2y,
  iPhone: httpProxy2Table.iPhone,
}

const row = {
  id: httpProxy2Table.id,
  a: httpProxy2Table.a,
  bC: sql<string>`${httpProxy2Table.bC}`.as('bC'),
  dEF: sql<number>`${httpProxy2Table.dEF}`.as('dEF'),
  userID: sql<string>`${httpProxy2Table.userID}`.as('userID'),
  ipV4Address: sql<string>`${httpProxy2Table.ipV4Address}`.as('ipV4Address'),
  x2y: httpProxy2Table.x2y,
  iPhone: sql<boolean>`${httpProxy2Table.iPhone}`.as('iPhone'),
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on HTTPProxy2; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(httpProxy2Table.id, sql.placeholder('id'))
  const behind = gt(httpProxy2Table.id, sql.placeholder('after'))
  const changes = {
    a: given('a'),
    bC: given('bC'),
    dEF: given('dEF'),
    userID: given('userID'),
    ipV4Address: given('ipV4Address'),
    x2y: given('x2y'),
    iPhone: given('iPhone'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${httpProxy2Table.a}) + octet_length(${httpProxy2Table.bC}) + octet_length(${httpProxy2Table.userID}) + octet_length(${httpProxy2Table.ipV4Address}))
        over (order by ${httpProxy2Table.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(httpProxy2Table)
    .where(behind)
    .orderBy(httpProxy2Table.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    find: drizzle.select({ id: httpProxy2Table.id }).from(httpProxy2Table).where(one).prepare('find'),
    create: drizzle
      .insert(httpProxy2Table)
      .values({
        id: given('id'),
        a: given('a'),
        bC: given('bC'),
        dEF: given('dEF'),
        userID: given('userID'),
        ipV4Address: given('ipV4Address'),
        x2y: given('x2y'),
        iPhone: given('iPhone'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(httpProxy2Table).where(one).prepare('read'),
    update: drizzle.update(httpProxy2Table).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle
      .delete(httpProxy2Table)
      .where(one)
      .returning({ id: httpProxy2Table.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(httpProxy2Table)
      .where(behind)
      .orderBy(httpProxy2Table.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<HTTPProxy2>(
      drizzle,
      drizzle
        .select({
          id: batch.id,
          a: batch.a,
          bC: batch.bC,
          dEF: batch.dEF,
          userID: batch.userID,
          ipV4Address: batch.ipV4Address,
          x2y: batch.x2y,
          iPhone: batch.iPhone,
        })
        .from(batch)
        .where(sql`coalesce(${batch._bytesBefore}, 0) < ${BATCH_BYTES}`)
        .orderBy(batch.id),
    ),
    pageEnd: drizzle
      .select({ id: httpProxy2Table.id })
      .from(httpProxy2Table)
      .where(behind)
      .orderBy(httpProxy2Table.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
    readable: drizzle
      .select({ id: httpProxy2Table.id })
      .from(httpProxy2Table)
      .where(sql`${httpProxy2Table.id} = any(${sql.placeholder('ids')}::uuid[])`)
      .prepare('readable'),
  }
}
