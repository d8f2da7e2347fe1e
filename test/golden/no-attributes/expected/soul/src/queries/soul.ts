import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { Soul, UpdateSoul } from '../entities.ts'
import { type Database, soul } from '../schema.ts'

const columns = getTableColumns(soul)
const hasId = eq(soul.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${soul.id} = coalesce(${param('_owner')}, ${soul.id})`

/** The queries on Soul. They check access only on behalf of a caller. */
export function soulQueries(db: Database) {
  const insert = once(() => db.insert(soul).values(values(columns)).returning(columns).prepare('insert_soul'))
  const select = once(() => db.select(columns).from(soul).where(and(hasId, isOwned)).prepare('select_soul'))
  const update = once(() =>
    db
      .update(soul)
      .set({ id: sql`${soul.id}` })
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_soul'),
  )
  const remove = once(() =>
    db.delete(soul).where(and(hasId, isOwned)).returning({ id: soul.id }).prepare('delete_soul'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(soul)
        .where(and(...conditions, gt(soul.id, param('after'))))
        .orderBy(soul.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${soul.id} = any(${param('ids')})`
  const list = listOf('list_soul')
  const listOwn = listOf('listOwn_soul', eq(soul.id, param('_owner')))
  const listIds = listOf('listIds_soul', hasIds, isOwned)

  return ({ reader, writer, creator }: Limits = {}) => ({
    async createSoul(owner: Owner): Promise<Soul> {
      return single(await insert().execute({ id: (creator ?? owner).id }))
    },

    async readSoul(input: { id: string }): Promise<Soul | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: reader?.id })
      return found
    },

    async updateSoul(input: UpdateSoul): Promise<Soul | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ id: input.id, _owner: writer?.id })
      return updated
    },

    /** Returns the id. */
    async deleteSoul(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listSoul(page: Page = {}): Promise<Soul[]> {
      return (reader === undefined ? list : listOwn)().execute({
        after: page.after ?? NIL_UUID,
        limit: page.limit,
        _owner: reader?.id,
      })
    },

    /** Returns those that exist, in the order of their ids. */
    async readManySoul(ids: readonly string[]): Promise<Soul[]> {
      return listIds().execute({
        ids: ids.filter(isUuid),
        after: NIL_UUID,
        limit: undefined,
        _owner: reader?.id,
      })
    },
  })
}

/** Who may read and write a Soul. */
export function soulAccess(db: Database) {
  const find = once(() => db.select({ owner: soul.id }).from(soul).where(hasId).prepare('find_soul'))

  async function requireReadable(id: string, caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found?.owner !== caller.id) throw notFound('Soul', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
