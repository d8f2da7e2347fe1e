import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { speakerTable } from '../schema.ts'

const columns = {
  id: speakerTable.id,
  name: speakerTable.name,
  voice: speakerTable.voice,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Speaker; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(speakerTable.id, sql.placeholder('id'))
  const own = eq(speakerTable.id, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(speakerTable.id, sql.placeholder('after'))
  const changes = {
    name: given('name'),
    voice: given('voice'),
  }

  return {
    find: drizzle
      .select({ id: speakerTable.id, owner: speakerTable.id })
      .from(speakerTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(speakerTable)
      .values({
        id: given('id'),
        name: given('name'),
        voice: given('voice'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(speakerTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(speakerTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(speakerTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(speakerTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(speakerTable).where(one).returning({ id: speakerTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(speakerTable)
      .where(ownOne)
      .returning({ id: speakerTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(speakerTable)
      .where(behind)
      .orderBy(speakerTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
