import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateEdge, Edge, UpdateEdge } from '../entities.ts'
import { type Database, drawing, edge } from '../schema.ts'

const columns = getTableColumns(edge)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(edge.parentId, param('_parent'))
const hasId = and(eq(edge.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${drawing._owner} = coalesce(${param('_owner')}, ${drawing._owner})`

/** The queries on Edge. They check access only on behalf of a caller. */
export function edgeQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: drawing.id })
      .from(drawing)
      .where(and(eq(drawing.id, edge.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(edge)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: drawing.id,
            from: sql<string>`${param('from')}::uuid`.as('from'),
            to: sql<string>`${param('to')}::uuid`.as('to'),
            weight: sql<number>`${param('weight')}::double precision`.as('weight'),
          })
          .from(drawing)
          .where(and(eq(drawing.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_edge'),
  )
  const select = once(() => db.select(columns).from(edge).where(hasId).prepare('select_edge'))
  const update = once(() =>
    db
      .update(edge)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_edge'),
  )
  const remove = once(() =>
    db.delete(edge).where(and(hasId, isInOwn)).returning({ id: edge.id }).prepare('delete_edge'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(edge)
        .where(and(...conditions, isInParent, gt(edge.id, param('after'))))
        .orderBy(edge.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${edge.id} = any(${param('ids')})`
  const list = listOf('list_edge')
  const listIds = listOf('listIds_edge', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfEdge({ parentId, ...page }: Page & { parentId: string }) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, {
      rows: (range) => statement().execute({ ...range, _parent: parentId }),
      batches: oneBatch,
    })
  }

  return ({ writer }: Limits = {}) => ({
    /** Returns `undefined` without a parent. */
    async createEdge(input: Omit<CreateEdge, 'id'> & { id?: string }): Promise<Edge | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readEdge(input: { id: string; parentId: string }): Promise<Edge | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updateEdge(input: UpdateEdge): Promise<Edge | undefined> {
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
    async deleteEdge(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listEdge(page: Page & { parentId: string }): Promise<Edge[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfEdge(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyEdge(parentId: string, ids: readonly string[]): Promise<Edge[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfEdge({ parentId, 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfEdge,
  })
}
