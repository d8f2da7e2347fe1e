import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, lte, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import { collect, fitsBatch, readList } from '#lib/lists.ts'
import { changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateStatistic, Statistic, UpdateStatistic } from '../entities.ts'
import { type Database, statistic } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(statistic)
const { id: _id, ...attributes } = columns
const hasId = eq(statistic.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${statistic._owner} = coalesce(${param('_owner')}, ${statistic._owner})`

/** Whose entities a query concerns. */
type Owner = Pick<Caller, 'id'>

/** The queries on Statistic. They check access only if they are given an owner. */
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
  const isInRange = and(gt(statistic.id, param('after')), lte(statistic.id, param('until')))
  const list = once(() =>
    db
      .select(columns)
      .from(statistic)
      .where(and(isInRange, fitsBatch(statistic, isInRange, sql`octet_length(${statistic.text})`)))
      .orderBy(statistic.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_statistic'),
  )
  const ids = once(() =>
    db
      .select({ id: statistic.id })
      .from(statistic)
      .where(isInRange)
      .orderBy(statistic.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_ids_statistic'),
  )
  const isInOwnRange = and(
    eq(statistic._owner, param('_owner')),
    gt(statistic.id, param('after')),
    lte(statistic.id, param('until')),
  )
  const listOwn = once(() =>
    db
      .select(columns)
      .from(statistic)
      .where(and(isInOwnRange, fitsBatch(statistic, isInOwnRange, sql`octet_length(${statistic.text})`)))
      .orderBy(statistic.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_own_statistic'),
  )
  const idsOwn = once(() =>
    db
      .select({ id: statistic.id })
      .from(statistic)
      .where(isInOwnRange)
      .orderBy(statistic.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_ids_own_statistic'),
  )

  return {
    async createStatistic(
      input: Omit<CreateStatistic, 'id'> & { id?: string },
      owner: Owner,
    ): Promise<Statistic> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: owner.id }))
    },

    async readStatistic(input: { id: string }, owner?: Owner): Promise<Statistic | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: owner?.id })
      return found
    },

    async updateStatistic(input: UpdateStatistic, owner?: Owner): Promise<Statistic | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ ...input, _owner: owner?.id })
      return updated
    },

    /** Returns the id. */
    async deleteStatistic(input: { id: string }, owner?: Owner): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: owner?.id })
      return deleted?.id
    },

    async listStatistic(page: Page = {}): Promise<Statistic[]> {
      const all = await readList(page, {
        batch: (range) => list().execute({ ...range }),
        ids: (range) => ids().execute({ ...range }),
      })
      return collect(all)
    },

    /** The same in batches of the entities of one owner, so that memory does not grow with the list. */
    batchesOfStatistic(page: Page, owner: Owner) {
      return readList(page, {
        batch: (range) => listOwn().execute({ ...range, _owner: owner.id }),
        ids: (range) => idsOwn().execute({ ...range, _owner: owner.id }),
      })
    },
  }
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
