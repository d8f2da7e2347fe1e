import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { forbidden, notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateVisitor, UpdateVisitor, Visitor } from '../entities.ts'
import { type Database, visitor } from '../schema.ts'

const columns = getTableColumns(visitor)
const { id: _id, ...attributes } = columns
const hasId = eq(visitor.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${visitor.id} = coalesce(${param('_owner')}, ${visitor.id})`

/** The queries on Visitor. They check access only on behalf of a caller. */
export function visitorQueries(db: Database) {
  const insert = once(() =>
    db.insert(visitor).values(values(columns)).returning(columns).prepare('insert_visitor'),
  )
  const select = once(() => db.select(columns).from(visitor).where(hasId).prepare('select_visitor'))
  const update = once(() =>
    db
      .update(visitor)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_visitor'),
  )
  const remove = once(() =>
    db.delete(visitor).where(and(hasId, isOwned)).returning({ id: visitor.id }).prepare('delete_visitor'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(visitor)
        .where(and(...conditions, gt(visitor.id, param('after'))))
        .orderBy(visitor.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${visitor.id} = any(${param('ids')})`
  const list = listOf('list_visitor')
  const listIds = listOf('listIds_visitor', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfVisitor(page: Page) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range }), batches: oneBatch })
  }

  return ({ writer, creator }: Limits = {}) => ({
    async createVisitor(input: Omit<CreateVisitor, 'id'>, owner: Owner): Promise<Visitor> {
      return single(await insert().execute({ ...input, id: (creator ?? owner).id }))
    },

    async readVisitor(input: { id: string }): Promise<Visitor | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateVisitor(input: UpdateVisitor): Promise<Visitor | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteVisitor(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listVisitor(page: Page = {}): Promise<Visitor[]> {
      return collect(await batchesOfVisitor(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyVisitor(ids: readonly string[]): Promise<Visitor[]> {
      return collect(await batchesOfVisitor({ 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfVisitor,
  })
}

/** Who may read and write a Visitor. */
export function visitorAccess(db: Database) {
  const find = once(() => db.select({ owner: visitor.id }).from(visitor).where(hasId).prepare('find_visitor'))
  const selectIds = once(() =>
    db
      .select({ id: visitor.id })
      .from(visitor)
      .where(sql`${visitor.id} = any(${param('ids')}::uuid[])`)
      .prepare('findAll_visitor'),
  )

  async function requireReadable(id: string, _caller: Caller): Promise<string> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Visitor', id)
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
