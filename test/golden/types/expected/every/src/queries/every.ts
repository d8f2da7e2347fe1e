import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateEvery, Every, UpdateEvery } from '../entities.ts'
import { type Database, every } from '../schema.ts'

const columns = getTableColumns(every)
const { id: _id, ...attributes } = columns
const hasId = eq(every.id, param('id'))
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${every.anyText}) + octet_length(${every.boundText}) + octet_length(${every.exactText}) + octet_length(${every.lowText}) + octet_length(${every.blob}) + octet_length(${every.small})`

/** The queries on Every. They do not check access. */
export function everyQueries(db: Database) {
  const insert = once(() =>
    db.insert(every).values(values(columns)).returning(columns).prepare('insert_every'),
  )
  const select = once(() => db.select(columns).from(every).where(hasId).prepare('select_every'))
  const update = once(() =>
    db.update(every).set(changes(attributes)).where(hasId).returning(columns).prepare('update_every'),
  )
  const remove = once(() => db.delete(every).where(hasId).returning({ id: every.id }).prepare('delete_every'))
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select({ id: every.id, _bytes })
        .from(every)
        .where(and(...conditions, gt(every.id, param('after'))))
        .orderBy(every.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${every.id} = any(${param('ids')})`
  const list = listOf('list_every')
  const listIds = listOf('listIds_every', hasIds)
  const rows = once(() => db.select(columns).from(every).where(hasIds).prepare('rows_every'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfEvery(page: Page) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range }), batches })
  }

  return {
    async createEvery(input: Omit<CreateEvery, 'id'> & { id?: string }): Promise<Every> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input }))
    },

    async readEvery(input: { id: string }): Promise<Every | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateEvery(input: UpdateEvery): Promise<Every | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ ...changed(attributes, input), id: input.id })
      return updated
    },

    /** Returns the id. */
    async deleteEvery(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id })
      return deleted?.id
    },

    async listEvery(page: Page = {}): Promise<Every[]> {
      return collect(await batchesOfEvery(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyEvery(ids: readonly string[]): Promise<Every[]> {
      return collect(await batchesOfEvery({ 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfEvery,
  }
}

/** Who may read and write an Every. */
export function everyAccess(db: Database) {
  const find = once(() => db.select({ id: every.id }).from(every).where(hasId).prepare('find_every'))

  async function requireReadable(id: string, _caller?: undefined): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Every', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
