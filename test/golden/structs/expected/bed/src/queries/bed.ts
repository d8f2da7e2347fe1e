import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { Bed, CreateBed, UpdateBed } from '../entities.ts'
import { bed, type Database } from '../schema.ts'

const columns = getTableColumns(bed)
const { id: _id, ...attributes } = columns
const hasId = eq(bed.id, param('id'))

/** The queries on Bed. They do not check access. */
export function bedQueries(db: Database) {
  const insert = once(() => db.insert(bed).values(values(columns)).returning(columns).prepare('insert_bed'))
  const select = once(() => db.select(columns).from(bed).where(hasId).prepare('select_bed'))
  const update = once(() =>
    db.update(bed).set(changes(attributes)).where(hasId).returning(columns).prepare('update_bed'),
  )
  const remove = once(() => db.delete(bed).where(hasId).returning({ id: bed.id }).prepare('delete_bed'))
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(bed)
        .where(and(...conditions, gt(bed.id, param('after'))))
        .orderBy(bed.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${bed.id} = any(${param('ids')})`
  const list = listOf('list_bed')
  const listIds = listOf('listIds_bed', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfBed(page: Page) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range }), batches: oneBatch })
  }

  return {
    async createBed(input: Omit<CreateBed, 'id'> & { id?: string }): Promise<Bed> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input }))
    },

    async readBed(input: { id: string }): Promise<Bed | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateBed(input: UpdateBed): Promise<Bed | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ ...changed(attributes, input), id: input.id })
      return updated
    },

    /** Returns the id. */
    async deleteBed(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id })
      return deleted?.id
    },

    async listBed(page: Page = {}): Promise<Bed[]> {
      return collect(await batchesOfBed(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyBed(ids: readonly string[]): Promise<Bed[]> {
      return collect(await batchesOfBed({ 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfBed,
  }
}

/** Who may read and write a Bed. */
export function bedAccess(db: Database) {
  const find = once(() => db.select({ id: bed.id }).from(bed).where(hasId).prepare('find_bed'))

  async function requireReadable(id: string, _caller?: undefined): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Bed', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
