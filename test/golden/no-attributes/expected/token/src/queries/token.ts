import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { Token, UpdateToken } from '../entities.ts'
import { type Database, token } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(token)
const hasId = eq(token.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${token._owner} = coalesce(${param('_owner')}, ${token._owner})`

/** The queries on Token. They check access only on behalf of a caller. */
export function tokenQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(token)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_token'),
  )
  const select = once(() => db.select(columns).from(token).where(and(hasId, isOwned)).prepare('select_token'))
  const update = once(() =>
    db
      .update(token)
      .set({ id: sql`${token.id}` })
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_token'),
  )
  const remove = once(() =>
    db.delete(token).where(and(hasId, isOwned)).returning({ id: token.id }).prepare('delete_token'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(token)
        .where(and(...conditions, gt(token.id, param('after'))))
        .orderBy(token.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${token.id} = any(${param('ids')})`
  const list = listOf('list_token')
  const listOwn = listOf('listOwn_token', eq(token._owner, param('_owner')))
  const listIds = listOf('listIds_token', hasIds, isOwned)

  /** Reads a list, or the part of an owner, in batches, so that memory does not grow with it. */
  function batchesOfToken(page: Page, owner: Owner | undefined) {
    const whole = owner === undefined ? list : listOwn
    const statement = page['id[in]'] === undefined ? whole : listIds
    return readList(page, {
      rows: (range) => statement().execute({ ...range, _owner: owner?.id }),
      batches: oneBatch,
    })
  }

  return ({ reader, writer, creator }: Limits = {}) => ({
    async createToken(owner: Owner): Promise<Token> {
      return single(await insert().execute({ id: randomUUIDv7(), _owner: (creator ?? owner).id }))
    },

    async readToken(input: { id: string }): Promise<Token | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: reader?.id })
      return found
    },

    async updateToken(input: UpdateToken): Promise<Token | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ id: input.id, _owner: writer?.id })
      return updated
    },

    /** Returns the id. */
    async deleteToken(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listToken(page: Page = {}): Promise<Token[]> {
      return collect(await batchesOfToken(page, reader))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyToken(ids: readonly string[]): Promise<Token[]> {
      return collect(await batchesOfToken({ 'id[in]': ids.filter(isUuid) }, reader))
    },

    batchesOfToken: (page: Page) => batchesOfToken(page, reader),
  })
}

/** Who may read and write a Token. */
export function tokenAccess(db: Database) {
  const find = once(() => db.select({ owner: token._owner }).from(token).where(hasId).prepare('find_token'))

  async function requireReadable(id: string, caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found?.owner !== caller.id) throw notFound('Token', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
