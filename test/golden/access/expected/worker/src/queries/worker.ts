import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { forbidden, notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateWorker, UpdateWorker, Worker } from '../entities.ts'
import { type Database, worker } from '../schema.ts'

const columns = getTableColumns(worker)
const { id: _id, ...attributes } = columns
const hasId = eq(worker.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${worker.id} = coalesce(${param('_owner')}, ${worker.id})`

/** The queries on Worker. They check access only on behalf of a caller. */
export function workerQueries(db: Database) {
  const insert = once(() =>
    db.insert(worker).values(values(columns)).returning(columns).prepare('insert_worker'),
  )
  const select = once(() => db.select(columns).from(worker).where(hasId).prepare('select_worker'))
  const update = once(() =>
    db
      .update(worker)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_worker'),
  )
  const remove = once(() =>
    db.delete(worker).where(and(hasId, isOwned)).returning({ id: worker.id }).prepare('delete_worker'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(worker)
        .where(and(...conditions, gt(worker.id, param('after'))))
        .orderBy(worker.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${worker.id} = any(${param('ids')})`
  const list = listOf('list_worker')
  const listIds = listOf('listIds_worker', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfWorker(page: Page) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range }), batches: oneBatch })
  }

  return ({ writer, creator }: Limits = {}) => ({
    async createWorker(input: Omit<CreateWorker, 'id'>, owner: Owner): Promise<Worker> {
      return single(await insert().execute({ ...input, id: (creator ?? owner).id }))
    },

    async readWorker(input: { id: string }): Promise<Worker | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateWorker(input: UpdateWorker): Promise<Worker | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteWorker(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listWorker(page: Page = {}): Promise<Worker[]> {
      return collect(await batchesOfWorker(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyWorker(ids: readonly string[]): Promise<Worker[]> {
      return collect(await batchesOfWorker({ 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfWorker,
  })
}

/** Who may read and write a Worker. */
export function workerAccess(db: Database) {
  const find = once(() => db.select({ owner: worker.id }).from(worker).where(hasId).prepare('find_worker'))

  async function requireReadable(id: string, _caller: Caller): Promise<string> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Worker', id)
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
