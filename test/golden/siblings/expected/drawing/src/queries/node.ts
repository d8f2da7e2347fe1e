import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateNode, Node, UpdateNode } from '../entities.ts'
import { type Database, drawing, node } from '../schema.ts'

const columns = getTableColumns(node)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(node.parentId, param('_parent'))
const hasId = and(eq(node.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${drawing._owner} = coalesce(${param('_owner')}, ${drawing._owner})`

/** The queries on Node. They check access only on behalf of a caller. */
export function nodeQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: drawing.id })
      .from(drawing)
      .where(and(eq(drawing.id, node.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(node)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: drawing.id,
            label: sql<string>`${param('label')}::text`.as('label'),
          })
          .from(drawing)
          .where(and(eq(drawing.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_node'),
  )
  const select = once(() => db.select(columns).from(node).where(hasId).prepare('select_node'))
  const update = once(() =>
    db
      .update(node)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_node'),
  )
  const remove = once(() =>
    db.delete(node).where(and(hasId, isInOwn)).returning({ id: node.id }).prepare('delete_node'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(node)
        .where(and(...conditions, isInParent, gt(node.id, param('after'))))
        .orderBy(node.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${node.id} = any(${param('ids')})`
  const list = listOf('list_node')
  const listIds = listOf('listIds_node', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfNode({ parentId, ...page }: Page & { parentId: string }) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, {
      rows: (range) => statement().execute({ ...range, _parent: parentId }),
      batches: oneBatch,
    })
  }

  return ({ writer }: Limits = {}) => ({
    /** Returns `undefined` without a parent. */
    async createNode(input: Omit<CreateNode, 'id'> & { id?: string }): Promise<Node | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readNode(input: { id: string; parentId: string }): Promise<Node | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updateNode(input: UpdateNode): Promise<Node | undefined> {
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
    async deleteNode(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listNode(page: Page & { parentId: string }): Promise<Node[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfNode(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyNode(parentId: string, ids: readonly string[]): Promise<Node[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfNode({ parentId, 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfNode,
  })
}
