import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Seat } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { seatTable, trainTable } from '../schema.ts'

const columns = {
  id: seatTable.id,
  parentId: seatTable._parent,
  number: seatTable.number,
  taker: seatTable.taker,
  connection: seatTable.connection,
  through: seatTable.through,
}

const row = {
  id: seatTable.id,
  parentId: sql<string>`${seatTable._parent}`.as('parentId'),
  number: seatTable.number,
  taker: seatTable.taker,
  connection: seatTable.connection,
  through: seatTable.through,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Seat; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(trainTable.id, sql.placeholder('_parent'))
  const inParent = eq(seatTable._parent, sql.placeholder('_parent'))
  const one = and(eq(seatTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(seatTable.id, sql.placeholder('after')), inParent)
  const owner = eq(trainTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(trainTable)
      .where(and(eq(trainTable.id, seatTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const ownBehind = and(behind, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: trainTable.id,
    number: sql<number>`${given('number')}::integer`.as('number'),
    taker: sql<string>`${given('taker')}::uuid`.as('taker'),
    connection: sql<string>`${given('connection')}::uuid`.as('connection'),
    through: sql<string>`${given('through')}::uuid`.as('through'),
  }
  const changes = {
    number: given('number'),
    taker: given('taker'),
    connection: given('connection'),
    through: sql`coalesce(${given('through')}, ${seatTable.through})`,
  }

  return {
    create: drizzle
      .insert(seatTable)
      .select(drizzle.select(entry).from(trainTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(seatTable)
      .select(drizzle.select(entry).from(trainTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(seatTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(seatTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(seatTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(seatTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(seatTable).where(one).returning({ id: seatTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(seatTable).where(ownOne).returning({ id: seatTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(seatTable)
      .where(behind)
      .orderBy(seatTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Seat>(
      drizzle,
      drizzle
        .select(row)
        .from(seatTable)
        .where(ownBehind)
        .orderBy(seatTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: seatTable.id })
      .from(seatTable)
      .where(ownBehind)
      .orderBy(seatTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
