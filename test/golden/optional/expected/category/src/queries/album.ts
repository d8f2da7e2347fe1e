import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { Album, CreateAlbum, UpdateAlbum } from '../entities.ts'
import { album, category, type Database } from '../schema.ts'

const columns = getTableColumns(album)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(album.parentId, param('_parent'))
const hasId = and(eq(album.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${category._owner} = coalesce(${param('_owner')}, ${category._owner})`

/** The queries on Album. They check access only on behalf of a caller. */
export function albumQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: category.id })
      .from(category)
      .where(and(eq(category.id, album.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(album)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: category.id,
            cover: sql<string | null>`${param('cover')}::uuid`.as('cover'),
            title: sql<string>`${param('title')}::text`.as('title'),
          })
          .from(category)
          .where(and(eq(category.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_album'),
  )
  const select = once(() => db.select(columns).from(album).where(hasId).prepare('select_album'))
  const update = once(() =>
    db
      .update(album)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_album'),
  )
  const remove = once(() =>
    db.delete(album).where(and(hasId, isInOwn)).returning({ id: album.id }).prepare('delete_album'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(album)
        .where(and(...conditions, isInParent, gt(album.id, param('after'))))
        .orderBy(album.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${album.id} = any(${param('ids')})`
  const list = listOf('list_album')
  const listIds = listOf('listIds_album', hasIds)

  return ({ writer }: Limits = {}) => ({
    /** Returns `undefined` without a parent. */
    async createAlbum(input: Omit<CreateAlbum, 'id'> & { id?: string }): Promise<Album | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readAlbum(input: { id: string; parentId: string }): Promise<Album | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updateAlbum(input: UpdateAlbum): Promise<Album | undefined> {
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
    async deleteAlbum(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listAlbum(page: Page & { parentId: string }): Promise<Album[]> {
      if (!isUuid(page.parentId)) return []
      return list().execute({ _parent: page.parentId, after: page.after ?? NIL_UUID, limit: page.limit })
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyAlbum(parentId: string, ids: readonly string[]): Promise<Album[]> {
      if (!isUuid(parentId)) return []
      return listIds().execute({
        ids: ids.filter(isUuid),
        _parent: parentId,
        after: NIL_UUID,
        limit: undefined,
      })
    },
  })
}
