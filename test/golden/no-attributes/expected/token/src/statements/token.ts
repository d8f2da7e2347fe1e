import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Token } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { tokenTable } from '../schema.ts'

const columns = {
  id: tokenTable.id,
}

const row = {
  id: tokenTable.id,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Token; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(tokenTable.id, sql.placeholder('id'))
  const own = eq(tokenTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(tokenTable.id, sql.placeholder('after'))
  const ownBehind = and(behind, own)
  const changes = {
    id: sql`${tokenTable.id}`,
  }

  return {
    find: drizzle
      .select({ id: tokenTable.id, owner: tokenTable._owner })
      .from(tokenTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(tokenTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(tokenTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(tokenTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(tokenTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(tokenTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(tokenTable).where(one).returning({ id: tokenTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(tokenTable).where(ownOne).returning({ id: tokenTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(tokenTable)
      .where(behind)
      .orderBy(tokenTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Token>(
      drizzle,
      drizzle
        .select(row)
        .from(tokenTable)
        .where(ownBehind)
        .orderBy(tokenTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: tokenTable.id })
      .from(tokenTable)
      .where(ownBehind)
      .orderBy(tokenTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
