import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { forbidden, notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreatePoster, Poster, UpdatePoster } from '../entities.ts'
import { type Database, poster } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(poster)
const { id: _id, ...attributes } = columns
const hasId = eq(poster.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${poster._owner} = coalesce(${param('_owner')}, ${poster._owner})`
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${poster.text})`

/** The queries on Poster. They check access only on behalf of a caller. */
export function posterQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(poster)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_poster'),
  )
  const select = once(() => db.select(columns).from(poster).where(hasId).prepare('select_poster'))
  const update = once(() =>
    db
      .update(poster)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_poster'),
  )
  const remove = once(() =>
    db.delete(poster).where(and(hasId, isOwned)).returning({ id: poster.id }).prepare('delete_poster'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select({ id: poster.id, _bytes })
        .from(poster)
        .where(and(...conditions, gt(poster.id, param('after'))))
        .orderBy(poster.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${poster.id} = any(${param('ids')})`
  const list = listOf('list_poster')
  const listIds = listOf('listIds_poster', hasIds)
  const rows = once(() => db.select(columns).from(poster).where(hasIds).prepare('rows_poster'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfPoster(page: Page) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range }), batches })
  }

  return ({ writer, creator }: Limits = {}) => ({
    async createPoster(input: Omit<CreatePoster, 'id'> & { id?: string }, owner: Owner): Promise<Poster> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readPoster(input: { id: string }): Promise<Poster | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updatePoster(input: UpdatePoster): Promise<Poster | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deletePoster(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listPoster(page: Page = {}): Promise<Poster[]> {
      return collect(await batchesOfPoster(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyPoster(ids: readonly string[]): Promise<Poster[]> {
      return collect(await batchesOfPoster({ 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfPoster,
  })
}

/** Who may read and write a Poster. */
export function posterAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: poster._owner }).from(poster).where(hasId).prepare('find_poster'),
  )

  async function requireReadable(id: string, _caller: Caller): Promise<string> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Poster', id)
    return found.owner
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 or 403 unless the caller may write the entity. */
    async requireWritable(id: string, caller: Caller): Promise<void> {
      if ((await requireReadable(id, caller)) !== caller.id) throw forbidden()
    },
  }
}
