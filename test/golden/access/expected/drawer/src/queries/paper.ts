import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreatePaper, Paper, UpdatePaper } from '../entities.ts'
import { type Database, drawer, paper } from '../schema.ts'

const columns = getTableColumns(paper)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(paper.parentId, param('_parent'))
const hasId = and(eq(paper.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${drawer._owner} = coalesce(${param('_owner')}, ${drawer._owner})`
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${paper.text})`

/** The queries on Paper. They check access only on behalf of a caller. */
export function paperQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: drawer.id })
      .from(drawer)
      .where(and(eq(drawer.id, paper.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(paper)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: drawer.id,
            text: sql<string>`${param('text')}::text`.as('text'),
          })
          .from(drawer)
          .where(and(eq(drawer.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_paper'),
  )
  const select = once(() => db.select(columns).from(paper).where(and(hasId, isInOwn)).prepare('select_paper'))
  const update = once(() =>
    db
      .update(paper)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_paper'),
  )
  const remove = once(() =>
    db.delete(paper).where(and(hasId, isInOwn)).returning({ id: paper.id }).prepare('delete_paper'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select({ id: paper.id, _bytes })
        .from(paper)
        .where(and(...conditions, isInParent, gt(paper.id, param('after'))))
        .orderBy(paper.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${paper.id} = any(${param('ids')})`
  const list = listOf('list_paper')
  const listIds = listOf('listIds_paper', hasIds)
  const rows = once(() => db.select(columns).from(paper).where(hasIds).prepare('rows_paper'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list in batches, so that memory does not grow with it. */
  async function batchesOfPaper(
    { parentId, ...page }: Page & { parentId: string },
    mayRead: Limits['mayRead'],
  ) {
    if (mayRead && !(await mayRead(parentId))) return { first: [] }
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range, _parent: parentId }), batches })
  }

  return ({ reader, writer, mayRead }: Limits = {}) => ({
    /** Returns `undefined` without a parent. */
    async createPaper(input: Omit<CreatePaper, 'id'> & { id?: string }): Promise<Paper | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readPaper(input: { id: string; parentId: string }): Promise<Paper | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId, _owner: reader?.id })
      return found
    },

    async updatePaper(input: UpdatePaper): Promise<Paper | undefined> {
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
    async deletePaper(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listPaper(page: Page & { parentId: string }): Promise<Paper[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfPaper(page, mayRead))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyPaper(parentId: string, ids: readonly string[]): Promise<Paper[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfPaper({ parentId, 'id[in]': ids.filter(isUuid) }, mayRead))
    },

    batchesOfPaper: (page: Page & { parentId: string }) => batchesOfPaper(page, mayRead),
  })
}
