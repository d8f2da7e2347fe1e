import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { CreateInner, Inner, UpdateInner } from '../entities.ts'
import { type Database, inner } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(inner)
const { id: _id, ...attributes } = columns
const hasId = eq(inner.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${inner._owner} = coalesce(${param('_owner')}, ${inner._owner})`

/** The queries on Inner. They check access only on behalf of a caller. */
export function innerQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(inner)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_inner'),
  )
  const select = once(() => db.select(columns).from(inner).where(and(hasId, isOwned)).prepare('select_inner'))
  const update = once(() =>
    db
      .update(inner)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_inner'),
  )
  const remove = once(() =>
    db.delete(inner).where(and(hasId, isOwned)).returning({ id: inner.id }).prepare('delete_inner'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(inner)
        .where(and(...conditions, gt(inner.id, param('after'))))
        .orderBy(inner.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${inner.id} = any(${param('ids')})`
  const list = listOf('list_inner')
  const listOwn = listOf('listOwn_inner', eq(inner._owner, param('_owner')))
  const listIds = listOf('listIds_inner', hasIds, isOwned)

  return ({ reader, writer, creator }: Limits = {}) => ({
    async createInner(input: Omit<CreateInner, 'id'> & { id?: string }, owner: Owner): Promise<Inner> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readInner(input: { id: string }): Promise<Inner | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: reader?.id })
      return found
    },

    async updateInner(input: UpdateInner): Promise<Inner | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteInner(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listInner(page: Page = {}): Promise<Inner[]> {
      return (reader === undefined ? list : listOwn)().execute({
        after: page.after ?? NIL_UUID,
        limit: page.limit,
        _owner: reader?.id,
      })
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyInner(ids: readonly string[]): Promise<Inner[]> {
      return listIds().execute({
        ids: ids.filter(isUuid),
        after: NIL_UUID,
        limit: undefined,
        _owner: reader?.id,
      })
    },
  })
}

/** Who may read and write an Inner. */
export function innerAccess(db: Database) {
  const find = once(() => db.select({ owner: inner._owner }).from(inner).where(hasId).prepare('find_inner'))

  async function requireReadable(id: string, caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found?.owner !== caller.id) throw notFound('Inner', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
