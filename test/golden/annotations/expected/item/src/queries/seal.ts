import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateSeal, Seal, UpdateSeal } from '../entities.ts'
import { type Database, item, seal } from '../schema.ts'

const columns = getTableColumns(seal)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(seal.parentId, param('_parent'))
const hasId = and(eq(seal.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${item._owner} = coalesce(${param('_owner')}, ${item._owner})`

/** The queries on Seal. They check access only on behalf of a caller. */
export function sealQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: item.id })
      .from(item)
      .where(and(eq(item.id, seal.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(seal)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: item.id,
            mark: sql<string>`${param('mark')}::text`.as('mark'),
            hidden: sql<number>`${param('hidden')}::integer`.as('hidden'),
          })
          .from(item)
          .where(and(eq(item.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_seal'),
  )
  const select = once(() => db.select(columns).from(seal).where(and(hasId, isInOwn)).prepare('select_seal'))
  const update = once(() =>
    db
      .update(seal)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_seal'),
  )
  const remove = once(() =>
    db.delete(seal).where(and(hasId, isInOwn)).returning({ id: seal.id }).prepare('delete_seal'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(seal)
        .where(and(...conditions, isInParent, gt(seal.id, param('after'))))
        .orderBy(seal.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${seal.id} = any(${param('ids')})`
  const list = listOf('list_seal')
  const listIds = listOf('listIds_seal', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  async function batchesOfSeal(
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
    async createSeal(input: Omit<CreateSeal, 'id'> & { id?: string }): Promise<Seal | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readSeal(input: { id: string; parentId: string }): Promise<Seal | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId, _owner: reader?.id })
      return found
    },

    async updateSeal(input: UpdateSeal): Promise<Seal | undefined> {
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
    async deleteSeal(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listSeal(page: Page & { parentId: string }): Promise<Seal[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfSeal(page, mayRead))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManySeal(parentId: string, ids: readonly string[]): Promise<Seal[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfSeal({ parentId, 'id[in]': ids.filter(isUuid) }, mayRead))
    },

    batchesOfSeal: (page: Page & { parentId: string }) => batchesOfSeal(page, mayRead),
  })
}
