import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { forbidden, notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, isEmpty, once, type Page, param, single, values } from '#lib/queries.ts'
import { roleFilter } from '#lib/roles.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateNotice, Notice, UpdateNotice } from '../entities.ts'
import { type Database, notice } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(notice)
const { _version, ...written } = columns
const { id: _id, ...attributes } = written
const hasId = eq(notice.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${notice._owner} = coalesce(${param('_owner')}, ${notice._owner})`
/** Without versions, any matches. */
const hasVersion = and(
  hasId,
  sql`${notice._version} = any(coalesce(${param('_versions')}::bigint[], array[${notice._version}]))`,
)

/** The queries on Notice. They check access only on behalf of a caller. */
export function noticeQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(notice)
      .values({ ...values(written), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_notice'),
  )
  const select = once(() =>
    db.select(columns).from(notice).where(and(hasId, isOwned)).prepare('select_notice'),
  )
  const update = once(() =>
    db
      .update(notice)
      .set(changes(attributes))
      .where(and(hasVersion, isOwned))
      .returning(columns)
      .prepare('update_notice'),
  )
  const remove = once(() =>
    db.delete(notice).where(and(hasVersion, isOwned)).returning({ id: notice.id }).prepare('delete_notice'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(notice)
        .where(and(...conditions, gt(notice.id, param('after'))))
        .orderBy(notice.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${notice.id} = any(${param('ids')})`
  const list = listOf('list_notice')
  const listIds = listOf('listIds_notice', hasIds)

  /** Reads a list, or the part of an owner, in batches, so that memory does not grow with it. */
  async function batchesOfNotice(page: Page, owner: Owner | undefined) {
    if (owner !== undefined) return { first: [] }
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range }), batches: oneBatch })
  }

  return ({ reader, writer, creator }: Limits = {}) => ({
    async createNotice(input: Omit<CreateNotice, 'id'> & { id?: string }, owner: Owner): Promise<Notice> {
      if (writer !== undefined) throw forbidden()
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readNotice(input: { id: string }): Promise<Notice | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: reader?.id })
      return found
    },

    async updateNotice(input: UpdateNotice, versions?: readonly number[]): Promise<Notice | undefined> {
      if (!isUuid(input.id)) return undefined
      if (isEmpty(attributes, input)) {
        const [found] = await select().execute({ id: input.id, _owner: reader?.id })
        return versions?.includes(found?._version ?? 0) === false ? undefined : found
      }
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
        _versions: versions,
      })
      return updated
    },

    /** Returns the id. */
    async deleteNotice(input: { id: string }, versions?: readonly number[]): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id, _versions: versions })
      return deleted?.id
    },

    async listNotice(page: Page = {}): Promise<Notice[]> {
      return collect(await batchesOfNotice(page, reader))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyNotice(ids: readonly string[]): Promise<Notice[]> {
      return collect(await batchesOfNotice({ 'id[in]': ids.filter(isUuid) }, reader))
    },

    batchesOfNotice: (page: Page) => batchesOfNotice(page, reader),
  })
}

/** Who may read and write a Notice. */
export function noticeAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: notice._owner }).from(notice).where(and(hasId, isOwned)).prepare('find_notice'),
  )

  async function requireReadable(id: string, caller: Caller): Promise<string> {
    const owner = roleFilter(caller, 'guide', 'organizer')
    const [found] = isUuid(id) ? await find().execute({ id, _owner: owner?.id }) : []
    if (found === undefined) throw notFound('Notice', id)
    return found.owner
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 or 403 unless the caller may write the entity. */
    async requireWritable(id: string, caller: Caller): Promise<void> {
      const owner = await requireReadable(id, caller)
      const writer = roleFilter(caller, 'organizer')
      if (writer !== undefined && writer.id !== owner) throw forbidden()
    },
  }
}
