import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Log_ } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { frozenTable, logTable } from '../schema.ts'

const columns = {
  id: logTable.id,
  parentId: logTable._parent,
  line: logTable.line,
}

const row = {
  id: logTable.id,
  parentId: sql<string>`${logTable._parent}`.as('parentId'),
  line: logTable.line,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Log; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(frozenTable.id, sql.placeholder('_parent'))
  const inParent = eq(logTable._parent, sql.placeholder('_parent'))
  const one = and(eq(logTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(logTable.id, sql.placeholder('after')), inParent)
  const owner = eq(frozenTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(frozenTable)
      .where(and(eq(frozenTable.id, logTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const ownBehind = and(behind, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: frozenTable.id,
    line: sql<string>`${given('line')}::text`.as('line'),
  }
  const changes = {
    line: given('line'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${logTable.line}))
        over (order by ${logTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(logTable)
    .where(ownBehind)
    .orderBy(logTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    create: drizzle
      .insert(logTable)
      .select(drizzle.select(entry).from(frozenTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(logTable)
      .select(drizzle.select(entry).from(frozenTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(logTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(logTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(logTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(logTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(logTable).where(one).returning({ id: logTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(logTable).where(ownOne).returning({ id: logTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(logTable)
      .where(behind)
      .orderBy(logTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Log_>(
      drizzle,
      drizzle
        .select({
          id: batch.id,
          parentId: batch.parentId,
          line: batch.line,
        })
        .from(batch)
        .where(sql`coalesce(${batch._bytesBefore}, 0) < ${BATCH_BYTES}`)
        .orderBy(batch.id),
    ),
    pageEnd: drizzle
      .select({ id: logTable.id })
      .from(logTable)
      .where(ownBehind)
      .orderBy(logTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
