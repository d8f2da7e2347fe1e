import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateStatistic, Statistic, UpdateStatistic } from '../entities.ts'
import { type Database, statistic } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(statistic)
const { id: _id, ...attributes } = columns
const hasId = eq(statistic.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${statistic._owner} = coalesce(${param('_owner')}, ${statistic._owner})`
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${statistic.text})`

/** The queries on Statistic. They check access only on behalf of a caller. */
export function statisticQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(statistic)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_statistic'),
  )
  const select = once(() =>
    db.select(columns).from(statistic).where(and(hasId, isOwned)).prepare('select_statistic'),
  )
  const update = once(() =>
    db
      .update(statistic)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_statistic'),
  )
  const remove = once(() =>
    db
      .delete(statistic)
      .where(and(hasId, isOwned))
      .returning({ id: statistic.id })
      .prepare('delete_statistic'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select({ id: statistic.id, _bytes })
        .from(statistic)
        .where(and(...conditions, gt(statistic.id, param('after'))))
        .orderBy(statistic.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${statistic.id} = any(${param('ids')})`
  const list = listOf('list_statistic')
  const listOwn = listOf('listOwn_statistic', eq(statistic._owner, param('_owner')))
  const listIds = listOf('listIds_statistic', hasIds, isOwned)
  const rows = once(() => db.select(columns).from(statistic).where(hasIds).prepare('rows_statistic'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list, or the part of an owner, in batches, so that memory does not grow with it. */
  function batchesOfStatistic(page: Page, owner: Owner | undefined) {
    const whole = owner === undefined ? list : listOwn
    const statement = page['id[in]'] === undefined ? whole : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range, _owner: owner?.id }), batches })
  }

  return ({ reader, writer, creator }: Limits = {}) => ({
    async createStatistic(
      input: Omit<CreateStatistic, 'id'> & { id?: string },
      owner: Owner,
    ): Promise<Statistic> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readStatistic(input: { id: string }): Promise<Statistic | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: reader?.id })
      return found
    },

    async updateStatistic(input: UpdateStatistic): Promise<Statistic | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteStatistic(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listStatistic(page: Page = {}): Promise<Statistic[]> {
      return collect(await batchesOfStatistic(page, reader))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyStatistic(ids: readonly string[]): Promise<Statistic[]> {
      return collect(await batchesOfStatistic({ 'id[in]': ids.filter(isUuid) }, reader))
    },

    batchesOfStatistic: (page: Page) => batchesOfStatistic(page, reader),
  })
}

/** Who may read and write a Statistic. */
export function statisticAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: statistic._owner }).from(statistic).where(hasId).prepare('find_statistic'),
  )

  async function requireReadable(id: string, caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found?.owner !== caller.id) throw notFound('Statistic', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
