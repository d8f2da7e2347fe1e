import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateDrawer, Drawer, UpdateDrawer } from '../entities.ts'
import { type Database, drawer } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(drawer)
const { id: _id, ...attributes } = columns
const hasId = eq(drawer.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${drawer._owner} = coalesce(${param('_owner')}, ${drawer._owner})`
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${drawer.text})`

/** The queries on Drawer. They check access only on behalf of a caller. */
export function drawerQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(drawer)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_drawer'),
  )
  const select = once(() =>
    db.select(columns).from(drawer).where(and(hasId, isOwned)).prepare('select_drawer'),
  )
  const update = once(() =>
    db
      .update(drawer)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_drawer'),
  )
  const remove = once(() =>
    db.delete(drawer).where(and(hasId, isOwned)).returning({ id: drawer.id }).prepare('delete_drawer'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select({ id: drawer.id, _bytes })
        .from(drawer)
        .where(and(...conditions, gt(drawer.id, param('after'))))
        .orderBy(drawer.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${drawer.id} = any(${param('ids')})`
  const list = listOf('list_drawer')
  const listOwn = listOf('listOwn_drawer', eq(drawer._owner, param('_owner')))
  const listIds = listOf('listIds_drawer', hasIds, isOwned)
  const rows = once(() => db.select(columns).from(drawer).where(hasIds).prepare('rows_drawer'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list, or the part of an owner, in batches, so that memory does not grow with it. */
  function batchesOfDrawer(page: Page, owner: Owner | undefined) {
    const whole = owner === undefined ? list : listOwn
    const statement = page['id[in]'] === undefined ? whole : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range, _owner: owner?.id }), batches })
  }

  return ({ reader, writer, creator }: Limits = {}) => ({
    async createDrawer(input: Omit<CreateDrawer, 'id'> & { id?: string }, owner: Owner): Promise<Drawer> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readDrawer(input: { id: string }): Promise<Drawer | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: reader?.id })
      return found
    },

    async updateDrawer(input: UpdateDrawer): Promise<Drawer | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteDrawer(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listDrawer(page: Page = {}): Promise<Drawer[]> {
      return collect(await batchesOfDrawer(page, reader))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyDrawer(ids: readonly string[]): Promise<Drawer[]> {
      return collect(await batchesOfDrawer({ 'id[in]': ids.filter(isUuid) }, reader))
    },

    batchesOfDrawer: (page: Page) => batchesOfDrawer(page, reader),
  })
}

/** Who may read and write a Drawer. */
export function drawerAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: drawer._owner }).from(drawer).where(hasId).prepare('find_drawer'),
  )

  async function requireReadable(id: string, caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found?.owner !== caller.id) throw notFound('Drawer', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
