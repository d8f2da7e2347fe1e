import { eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { noteTable } from '../schema.ts'

const columns = {
  id: noteTable.id,
  text: noteTable.text,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Note; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(noteTable.id, sql.placeholder('id'))
  const behind = gt(noteTable.id, sql.placeholder('after'))
  const changes = {
    text: given('text'),
  }

  return {
    find: drizzle.select({ id: noteTable.id }).from(noteTable).where(one).prepare('find'),
    create: drizzle
      .insert(noteTable)
      .values({
        id: given('id'),
        text: given('text'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(noteTable).where(one).prepare('read'),
    update: drizzle.update(noteTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(noteTable).where(one).returning({ id: noteTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(noteTable)
      .where(behind)
      .orderBy(noteTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
