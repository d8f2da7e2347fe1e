import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { draftTable, noteTable } from '../schema.ts'

const columns = {
  id: noteTable.id,
  parentId: noteTable._parent,
  text: noteTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Note; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(draftTable.id, sql.placeholder('_parent'))
  const inParent = eq(noteTable._parent, sql.placeholder('_parent'))
  const one = and(eq(noteTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(noteTable.id, sql.placeholder('after')), inParent)
  const owner = eq(draftTable._owner, sql.placeholder('_caller'))
  const own = exists(
    drizzle
      .select({ one: sql`1` })
      .from(draftTable)
      .where(and(eq(draftTable.id, noteTable._parent), owner)),
  )
  const ownOne = and(one, own)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: draftTable.id,
    text: sql<string>`${given('text')}::text`.as('text'),
  }
  const changes = {
    text: given('text'),
  }

  return {
    create: drizzle
      .insert(noteTable)
      .select(drizzle.select(entry).from(draftTable).where(parent))
      .returning(columns)
      .prepare('create'),
    createOwn: drizzle
      .insert(noteTable)
      .select(drizzle.select(entry).from(draftTable).where(and(parent, owner)))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(noteTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(noteTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(noteTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(noteTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(noteTable).where(one).returning({ id: noteTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(noteTable).where(ownOne).returning({ id: noteTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(noteTable)
      .where(behind)
      .orderBy(noteTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
