import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateEntry, Entry, UpdateEntry } from '../entities.ts'
import { type Database, entry } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(entry)
const { id: _id, ...attributes } = columns
const hasId = eq(entry.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${entry._owner} = coalesce(${param('_owner')}, ${entry._owner})`
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${entry.text})`

/** The queries on Entry. They check access only on behalf of a caller. */
export function entryQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(entry)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_entry'),
  )
  const select = once(() => db.select(columns).from(entry).where(and(hasId, isOwned)).prepare('select_entry'))
  const update = once(() =>
    db
      .update(entry)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_entry'),
  )
  const remove = once(() =>
    db.delete(entry).where(and(hasId, isOwned)).returning({ id: entry.id }).prepare('delete_entry'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select({ id: entry.id, _bytes })
        .from(entry)
        .where(and(...conditions, gt(entry.id, param('after'))))
        .orderBy(entry.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${entry.id} = any(${param('ids')})`
  const list = listOf('list_entry')
  const listOwn = listOf('listOwn_entry', eq(entry._owner, param('_owner')))
  const listIds = listOf('listIds_entry', hasIds, isOwned)
  const rows = once(() => db.select(columns).from(entry).where(hasIds).prepare('rows_entry'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list, or the part of an owner, in batches, so that memory does not grow with it. */
  function batchesOfEntry(page: Page, owner: Owner | undefined) {
    const whole = owner === undefined ? list : listOwn
    const statement = page['id[in]'] === undefined ? whole : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range, _owner: owner?.id }), batches })
  }

  return ({ reader, writer, creator }: Limits = {}) => ({
    async createEntry(input: Omit<CreateEntry, 'id'> & { id?: string }, owner: Owner): Promise<Entry> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readEntry(input: { id: string }): Promise<Entry | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: reader?.id })
      return found
    },

    async updateEntry(input: UpdateEntry): Promise<Entry | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteEntry(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listEntry(page: Page = {}): Promise<Entry[]> {
      return collect(await batchesOfEntry(page, reader))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyEntry(ids: readonly string[]): Promise<Entry[]> {
      return collect(await batchesOfEntry({ 'id[in]': ids.filter(isUuid) }, reader))
    },

    batchesOfEntry: (page: Page) => batchesOfEntry(page, reader),
  })
}

/** Who may read and write an Entry. */
export function entryAccess(db: Database) {
  const find = once(() => db.select({ owner: entry._owner }).from(entry).where(hasId).prepare('find_entry'))

  async function requireReadable(id: string, caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found?.owner !== caller.id) throw notFound('Entry', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
