import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateStamp, Stamp, UpdateStamp } from '../entities.ts'
import { type Database, poster, stamp } from '../schema.ts'

const columns = getTableColumns(stamp)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(stamp.parentId, param('_parent'))
const hasId = and(eq(stamp.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${poster._owner} = coalesce(${param('_owner')}, ${poster._owner})`

/** The queries on Stamp. They check access only on behalf of a caller. */
export function stampQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: poster.id })
      .from(poster)
      .where(and(eq(poster.id, stamp.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(stamp)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: poster.id,
            place: sql<string>`${param('place')}::text`.as('place'),
          })
          .from(poster)
          .where(and(eq(poster.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_stamp'),
  )
  const select = once(() => db.select(columns).from(stamp).where(hasId).prepare('select_stamp'))
  const update = once(() =>
    db
      .update(stamp)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_stamp'),
  )
  const remove = once(() =>
    db.delete(stamp).where(and(hasId, isInOwn)).returning({ id: stamp.id }).prepare('delete_stamp'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(stamp)
        .where(and(...conditions, isInParent, gt(stamp.id, param('after'))))
        .orderBy(stamp.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${stamp.id} = any(${param('ids')})`
  const list = listOf('list_stamp')
  const listIds = listOf('listIds_stamp', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfStamp({ parentId, ...page }: Page & { parentId: string }) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, {
      rows: (range) => statement().execute({ ...range, _parent: parentId }),
      batches: oneBatch,
    })
  }

  return ({ writer }: Limits = {}) => ({
    /** Returns `undefined` without a parent. */
    async createStamp(input: Omit<CreateStamp, 'id'> & { id?: string }): Promise<Stamp | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readStamp(input: { id: string; parentId: string }): Promise<Stamp | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updateStamp(input: UpdateStamp): Promise<Stamp | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteStamp(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listStamp(page: Page & { parentId: string }): Promise<Stamp[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfStamp(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyStamp(parentId: string, ids: readonly string[]): Promise<Stamp[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfStamp({ parentId, 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfStamp,
  })
}
