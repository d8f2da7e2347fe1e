import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, sql } from 'drizzle-orm'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changes, once, type Page, param } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateReview, Review, UpdateReview } from '../entities.ts'
import { type Database, product, review } from '../schema.ts'

const columns = getTableColumns(review)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(review.parentId, param('_parent'))
const hasId = and(eq(review.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${product._owner} = coalesce(${param('_owner')}, ${product._owner})`
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${review.text})`

/** Whose entities a query concerns. */
type Owner = Pick<Caller, 'id'>

/** The queries on Review. They check access only if they are given an owner. */
export function reviewQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: product.id })
      .from(product)
      .where(and(eq(product.id, review.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(review)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: product.id,
            stars: sql<number>`${param('stars')}::integer`.as('stars'),
            text: sql<string>`${param('text')}::text`.as('text'),
          })
          .from(product)
          .where(and(eq(product.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_review'),
  )
  const select = once(() => db.select(columns).from(review).where(hasId).prepare('select_review'))
  const update = once(() =>
    db
      .update(review)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_review'),
  )
  const remove = once(() =>
    db.delete(review).where(and(hasId, isInOwn)).returning({ id: review.id }).prepare('delete_review'),
  )
  const list = once(() =>
    db
      .select({ id: review.id, _bytes })
      .from(review)
      .where(and(isInParent, gt(review.id, param('after'))))
      .orderBy(review.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_review'),
  )
  const hasIds = sql`${review.id} = any(${param('ids')})`
  const rows = once(() => db.select(columns).from(review).where(hasIds).prepare('rows_review'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfReview({ parentId, ...page }: Page & { parentId: string }) {
    return readList(page, { rows: (range) => list().execute({ ...range, _parent: parentId }), batches })
  }

  return {
    /** Returns `undefined` without a parent. */
    async createReview(
      input: Omit<CreateReview, 'id'> & { id?: string },
      owner?: Owner,
    ): Promise<Review | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: owner?.id,
      })
      return created
    },

    async readReview(input: { id: string; parentId: string }): Promise<Review | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updateReview(input: UpdateReview, owner?: Owner): Promise<Review | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [updated] = await update().execute({ ...input, _parent: input.parentId, _owner: owner?.id })
      return updated
    },

    /** Returns the id. */
    async deleteReview(input: { id: string; parentId: string }, owner?: Owner): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: owner?.id })
      return deleted?.id
    },

    async listReview(page: Page & { parentId: string }): Promise<Review[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfReview(page))
    },

    batchesOfReview,
  }
}
