import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import type { Owner } from '#lib/limits.ts'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changed, changes, isEmpty, once, param, single, values } from '#lib/queries.ts'
import { isPlain, search } from '#lib/search.ts'
import type { Caller } from '#lib/tokens.ts'
import { transitions } from '#lib/transitions.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateHall, Hall, HallQuery, UpdateHall } from '../entities.ts'
import { type Database, hall } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(hall)
const { _version, ...written } = columns
const { id: _id, ...attributes } = written
const hasId = eq(hall.id, param('id'))
/** Without versions, any matches. */
const hasVersion = and(
  hasId,
  sql`${hall._version} = any(coalesce(${param('_versions')}::bigint[], array[${hall._version}]))`,
)
/** Each value, followed by those that it can become. */
const states = transitions(columns, {
  state: [
    ['open', 'sold-out', 'closed'],
    ['sold-out', 'open', 'closed'],
  ],
})
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${hall.title}) + octet_length(${hall.plan}) + coalesce(octet_length(${hall.phone}), 0) + octet_length(${hall.country})`

/** The queries on Hall. They do not check access. */
export function hallQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(hall)
      .values({ ...values(written), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_hall'),
  )
  const select = once(() => db.select(columns).from(hall).where(hasId).prepare('select_hall'))
  const writable = once(() => db.select(columns).from(hall).where(hasVersion).prepare('writable_hall'))
  const update = once(() =>
    db
      .update(hall)
      .set(changes(attributes))
      .where(and(hasVersion, ...states.conditions))
      .returning(columns)
      .prepare('update_hall'),
  )
  const remove = once(() =>
    db.delete(hall).where(hasVersion).returning({ id: hall.id }).prepare('delete_hall'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select({ id: hall.id, _bytes })
        .from(hall)
        .where(and(...conditions, gt(hall.id, param('after'))))
        .orderBy(hall.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${hall.id} = any(${param('ids')})`
  const list = listOf('list_hall')
  const listIds = listOf('listIds_hall', hasIds)
  const rows = once(() => db.select(columns).from(hall).where(hasIds).prepare('rows_hall'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfHall(query: HallQuery) {
    if (!isPlain(query)) {
      return search(query, undefined, {
        columns,
        rows: (slice) =>
          db
            .select({ ...slice.key, _bytes })
            .from(hall)
            .where(slice.where)
            .orderBy(...slice.order)
            .limit(slice.limit)
            .offset(slice.offset ?? 0),
        batches,
        count: (where) => db.$count(hall, where),
      })
    }
    const statement = query['id[in]'] === undefined ? list : listIds
    return readList(query, { rows: (range) => statement().execute({ ...range }), batches })
  }

  return {
    async createHall(input: Omit<CreateHall, 'id'> & { id?: string }, owner: Owner): Promise<Hall> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: owner.id }))
    },

    async readHall(input: { id: string }): Promise<Hall | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateHall(input: UpdateHall, versions?: readonly number[]): Promise<Hall | undefined> {
      if (!isUuid(input.id)) return undefined
      if (isEmpty(attributes, input)) {
        const [found] = await select().execute({ id: input.id })
        return versions?.includes(found?._version ?? 0) === false ? undefined : found
      }
      const keys = { id: input.id, _versions: versions }
      return states.update(
        input,
        () => update().execute({ ...changed(attributes, input), ...keys }),
        () => writable().execute(keys),
      )
    },

    /** Returns the id. */
    async deleteHall(input: { id: string }, versions?: readonly number[]): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _versions: versions })
      return deleted?.id
    },

    async listHall(query: HallQuery = {}): Promise<Hall[]> {
      return collect(await batchesOfHall(query))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyHall(ids: readonly string[]): Promise<Hall[]> {
      return collect(await batchesOfHall({ 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfHall,
  }
}

/** Who may read and write a Hall. */
export function hallAccess(db: Database) {
  const find = once(() => db.select({ id: hall.id }).from(hall).where(hasId).prepare('find_hall'))
  const selectIds = once(() =>
    db
      .select({ id: hall.id })
      .from(hall)
      .where(sql`${hall.id} = any(${param('ids')}::uuid[])`)
      .prepare('findAll_hall'),
  )

  async function requireReadable(id: string, _caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Hall', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,

    /** Returns the ids of entities that do not exist or that the caller may not read. */
    async unknown(ids: readonly string[], _caller: Caller): Promise<string[]> {
      const found = await selectIds().execute({ ids: ids.filter(isUuid) })
      const known = new Set(found.map(({ id }) => id))
      return ids.filter((id) => !known.has(id.toLowerCase()))
    },
  }
}
