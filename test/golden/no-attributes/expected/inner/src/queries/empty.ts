import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateEmpty, Empty, UpdateEmpty } from '../entities.ts'
import { type Database, empty, inner } from '../schema.ts'

const columns = getTableColumns(empty)
const isInParent = eq(empty.parentId, param('_parent'))
const hasId = and(eq(empty.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${inner._owner} = coalesce(${param('_owner')}, ${inner._owner})`

/** The queries on Empty. They check access only on behalf of a caller. */
export function emptyQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: inner.id })
      .from(inner)
      .where(and(eq(inner.id, empty.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(empty)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: inner.id,
          })
          .from(inner)
          .where(and(eq(inner.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_empty'),
  )
  const select = once(() => db.select(columns).from(empty).where(and(hasId, isInOwn)).prepare('select_empty'))
  const update = once(() =>
    db
      .update(empty)
      .set({ id: sql`${empty.id}` })
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_empty'),
  )
  const remove = once(() =>
    db.delete(empty).where(and(hasId, isInOwn)).returning({ id: empty.id }).prepare('delete_empty'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(empty)
        .where(and(...conditions, isInParent, gt(empty.id, param('after'))))
        .orderBy(empty.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${empty.id} = any(${param('ids')})`
  const list = listOf('list_empty')
  const listIds = listOf('listIds_empty', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  async function batchesOfEmpty(
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
    async createEmpty(input: Omit<CreateEmpty, 'id'> & { id?: string }): Promise<Empty | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readEmpty(input: { id: string; parentId: string }): Promise<Empty | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId, _owner: reader?.id })
      return found
    },

    async updateEmpty(input: UpdateEmpty): Promise<Empty | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [updated] = await update().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return updated
    },

    /** Returns the id. */
    async deleteEmpty(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listEmpty(page: Page & { parentId: string }): Promise<Empty[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfEmpty(page, mayRead))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyEmpty(parentId: string, ids: readonly string[]): Promise<Empty[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfEmpty({ parentId, 'id[in]': ids.filter(isUuid) }, mayRead))
    },

    batchesOfEmpty: (page: Page & { parentId: string }) => batchesOfEmpty(page, mayRead),
  })
}
