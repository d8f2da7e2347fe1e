import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { Copy, CreateCopy, UpdateCopy } from '../entities.ts'
import { copy, type Database, notice } from '../schema.ts'

const columns = getTableColumns(copy)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(copy.parentId, param('_parent'))
const hasId = and(eq(copy.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${notice._owner} = coalesce(${param('_owner')}, ${notice._owner})`

/** The queries on Copy. They check access only on behalf of a caller. */
export function copyQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: notice.id })
      .from(notice)
      .where(and(eq(notice.id, copy.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(copy)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: notice.id,
            hall: sql<string>`${param('hall')}::uuid`.as('hall'),
          })
          .from(notice)
          .where(and(eq(notice.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_copy'),
  )
  const select = once(() => db.select(columns).from(copy).where(and(hasId, isInOwn)).prepare('select_copy'))
  const update = once(() =>
    db
      .update(copy)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_copy'),
  )
  const remove = once(() =>
    db.delete(copy).where(and(hasId, isInOwn)).returning({ id: copy.id }).prepare('delete_copy'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(copy)
        .where(and(...conditions, isInParent, gt(copy.id, param('after'))))
        .orderBy(copy.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${copy.id} = any(${param('ids')})`
  const list = listOf('list_copy')
  const listIds = listOf('listIds_copy', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  async function batchesOfCopy(
    { parentId, ...page }: Page & { parentId: string },
    mayRead: Limits['mayRead'],
  ) {
    if (mayRead && !(await mayRead(parentId))) return { first: [] }
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, {
      rows: (range) => statement().execute({ ...range, _parent: parentId }),
      batches: oneBatch,
    })
  }

  return ({ reader, writer, mayRead }: Limits = {}) => ({
    /** Returns `undefined` without a parent. */
    async createCopy(input: Omit<CreateCopy, 'id'> & { id?: string }): Promise<Copy | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readCopy(input: { id: string; parentId: string }): Promise<Copy | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId, _owner: reader?.id })
      return found
    },

    async updateCopy(input: UpdateCopy): Promise<Copy | undefined> {
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
    async deleteCopy(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listCopy(page: Page & { parentId: string }): Promise<Copy[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfCopy(page, mayRead))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyCopy(parentId: string, ids: readonly string[]): Promise<Copy[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfCopy({ parentId, 'id[in]': ids.filter(isUuid) }, mayRead))
    },

    batchesOfCopy: (page: Page & { parentId: string }) => batchesOfCopy(page, mayRead),
  })
}
