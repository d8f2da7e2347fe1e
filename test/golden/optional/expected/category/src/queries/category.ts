import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { forbidden, notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { Category, CreateCategory, UpdateCategory } from '../entities.ts'
import { category, type Database } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(category)
const { id: _id, ...attributes } = columns
const hasId = eq(category.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${category._owner} = coalesce(${param('_owner')}, ${category._owner})`
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${category.title}) + octet_length(${category.country}) + octet_length(${category.greeting}) + coalesce(octet_length(${category.image}), 0) + coalesce(octet_length(${category.text}), 0) + coalesce(octet_length(${category.constructor}), 0)`

/** The queries on Category. They check access only on behalf of a caller. */
export function categoryQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(category)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_category'),
  )
  const select = once(() => db.select(columns).from(category).where(hasId).prepare('select_category'))
  const update = once(() =>
    db
      .update(category)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_category'),
  )
  const remove = once(() =>
    db.delete(category).where(and(hasId, isOwned)).returning({ id: category.id }).prepare('delete_category'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select({ id: category.id, _bytes })
        .from(category)
        .where(and(...conditions, gt(category.id, param('after'))))
        .orderBy(category.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${category.id} = any(${param('ids')})`
  const list = listOf('list_category')
  const listIds = listOf('listIds_category', hasIds)
  const rows = once(() => db.select(columns).from(category).where(hasIds).prepare('rows_category'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfCategory(page: Page) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range }), batches })
  }

  return ({ writer, creator }: Limits = {}) => ({
    async createCategory(
      input: Omit<CreateCategory, 'id'> & { id?: string },
      owner: Owner,
    ): Promise<Category> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readCategory(input: { id: string }): Promise<Category | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateCategory(input: UpdateCategory): Promise<Category | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteCategory(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listCategory(page: Page = {}): Promise<Category[]> {
      return collect(await batchesOfCategory(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyCategory(ids: readonly string[]): Promise<Category[]> {
      return collect(await batchesOfCategory({ 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfCategory,
  })
}

/** Who may read and write a Category. */
export function categoryAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: category._owner }).from(category).where(hasId).prepare('find_category'),
  )
  const selectIds = once(() =>
    db
      .select({ id: category.id })
      .from(category)
      .where(sql`${category.id} = any(${param('ids')}::uuid[])`)
      .prepare('findAll_category'),
  )

  async function requireReadable(id: string, _caller: Caller): Promise<string> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Category', id)
    return found.owner
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 or 403 unless the caller may write the entity. */
    async requireWritable(id: string, caller: Caller): Promise<void> {
      if ((await requireReadable(id, caller)) !== caller.id) throw forbidden()
    },

    /** Returns the ids of entities that do not exist or that the caller may not read. */
    async unknown(ids: readonly string[], _caller: Caller): Promise<string[]> {
      const found = await selectIds().execute({ ids: ids.filter(isUuid) })
      const known = new Set(found.map(({ id }) => id))
      return ids.filter((id) => !known.has(id.toLowerCase()))
    },
  }
}
