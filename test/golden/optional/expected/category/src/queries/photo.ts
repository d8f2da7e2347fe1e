import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreatePhoto, Photo, UpdatePhoto } from '../entities.ts'
import { category, type Database, photo } from '../schema.ts'

const columns = getTableColumns(photo)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(photo.parentId, param('_parent'))
const hasId = and(eq(photo.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${category._owner} = coalesce(${param('_owner')}, ${category._owner})`

/** The queries on Photo. They check access only on behalf of a caller. */
export function photoQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: category.id })
      .from(category)
      .where(and(eq(category.id, photo.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(photo)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: category.id,
            caption: sql<string | null>`${param('caption')}::text`.as('caption'),
            album: sql<string | null>`${param('album')}::uuid`.as('album'),
            next: sql<string | null>`${param('next')}::uuid`.as('next'),
          })
          .from(category)
          .where(and(eq(category.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_photo'),
  )
  const select = once(() => db.select(columns).from(photo).where(hasId).prepare('select_photo'))
  const update = once(() =>
    db
      .update(photo)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_photo'),
  )
  const remove = once(() =>
    db.delete(photo).where(and(hasId, isInOwn)).returning({ id: photo.id }).prepare('delete_photo'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(photo)
        .where(and(...conditions, isInParent, gt(photo.id, param('after'))))
        .orderBy(photo.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${photo.id} = any(${param('ids')})`
  const list = listOf('list_photo')
  const listIds = listOf('listIds_photo', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfPhoto({ parentId, ...page }: Page & { parentId: string }) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, {
      rows: (range) => statement().execute({ ...range, _parent: parentId }),
      batches: oneBatch,
    })
  }

  return ({ writer }: Limits = {}) => ({
    /** Returns `undefined` without a parent. */
    async createPhoto(input: Omit<CreatePhoto, 'id'> & { id?: string }): Promise<Photo | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readPhoto(input: { id: string; parentId: string }): Promise<Photo | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updatePhoto(input: UpdatePhoto): Promise<Photo | undefined> {
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
    async deletePhoto(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listPhoto(page: Page & { parentId: string }): Promise<Photo[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfPhoto(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyPhoto(parentId: string, ids: readonly string[]): Promise<Photo[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfPhoto({ parentId, 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfPhoto,
  })
}
