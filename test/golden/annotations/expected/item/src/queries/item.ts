import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { CreateItem, Item, UpdateItem } from '../entities.ts'
import { type Database, item } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(item)
const { id: _id, ...attributes } = columns
const hasId = eq(item.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${item._owner} = coalesce(${param('_owner')}, ${item._owner})`

/** The queries on Item. They check access only on behalf of a caller. */
export function itemQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(item)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_item'),
  )
  const select = once(() => db.select(columns).from(item).where(and(hasId, isOwned)).prepare('select_item'))
  const update = once(() =>
    db
      .update(item)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_item'),
  )
  const remove = once(() =>
    db.delete(item).where(and(hasId, isOwned)).returning({ id: item.id }).prepare('delete_item'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(item)
        .where(and(...conditions, gt(item.id, param('after'))))
        .orderBy(item.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${item.id} = any(${param('ids')})`
  const list = listOf('list_item')
  const listOwn = listOf('listOwn_item', eq(item._owner, param('_owner')))
  const listIds = listOf('listIds_item', hasIds, isOwned)

  return ({ reader, writer, creator }: Limits = {}) => ({
    async createItem(input: Omit<CreateItem, 'id'> & { id?: string }, owner: Owner): Promise<Item> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readItem(input: { id: string }): Promise<Item | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: reader?.id })
      return found
    },

    async updateItem(input: UpdateItem): Promise<Item | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteItem(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listItem(page: Page = {}): Promise<Item[]> {
      return (reader === undefined ? list : listOwn)().execute({
        after: page.after ?? NIL_UUID,
        limit: page.limit,
        _owner: reader?.id,
      })
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyItem(ids: readonly string[]): Promise<Item[]> {
      return listIds().execute({
        ids: ids.filter(isUuid),
        after: NIL_UUID,
        limit: undefined,
        _owner: reader?.id,
      })
    },
  })
}

/** Who may read and write an Item. */
export function itemAccess(db: Database) {
  const find = once(() => db.select({ owner: item._owner }).from(item).where(hasId).prepare('find_item'))

  async function requireReadable(id: string, caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found?.owner !== caller.id) throw notFound('Item', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
