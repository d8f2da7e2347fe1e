import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, lte, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import { collect, fitsBatch, readList } from '#lib/lists.ts'
import { changes, once, param, single, values } from '#lib/queries.ts'
import { isPlain, search } from '#lib/search.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateHall, Hall, HallQuery, UpdateHall } from '../entities.ts'
import { type Database, hall } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(hall)
const { id: _id, ...attributes } = columns
const hasId = eq(hall.id, param('id'))

/** Whose entities a query concerns. */
type Owner = Pick<Caller, 'id'>

/** The queries on Hall. They check access only if they are given an owner. */
export function hallQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(hall)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_hall'),
  )
  const select = once(() => db.select(columns).from(hall).where(hasId).prepare('select_hall'))
  const update = once(() =>
    db.update(hall).set(changes(attributes)).where(hasId).returning(columns).prepare('update_hall'),
  )
  const remove = once(() => db.delete(hall).where(hasId).returning({ id: hall.id }).prepare('delete_hall'))
  const isInRange = and(gt(hall.id, param('after')), lte(hall.id, param('until')))
  const list = once(() =>
    db
      .select(columns)
      .from(hall)
      .where(
        and(
          isInRange,
          fitsBatch(
            hall,
            isInRange,
            sql`octet_length(${hall.title}) + octet_length(${hall.plan}) + coalesce(octet_length(${hall.phone}), 0) + octet_length(${hall.country})`,
          ),
        ),
      )
      .orderBy(hall.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_hall'),
  )
  const ids = once(() =>
    db
      .select({ id: hall.id })
      .from(hall)
      .where(isInRange)
      .orderBy(hall.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_ids_hall'),
  )
  function matching(query: HallQuery, access?: SQL) {
    return search(query, access, {
      columns,
      rows: (slice) =>
        db
          .select(columns)
          .from(hall)
          .where(slice.where)
          .orderBy(...slice.order)
          .limit(slice.limit),
      count: (slice) => db.$count(hall, slice.where),
      sizes: (slice, fields) =>
        db
          .select({
            ...fields,
            bytes: sql<number>`octet_length(${hall.title}) + octet_length(${hall.plan}) + coalesce(octet_length(${hall.phone}), 0) + octet_length(${hall.country})`,
          })
          .from(hall)
          .where(slice.where)
          .orderBy(...slice.order)
          .limit(slice.limit),
    })
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

    async updateHall(input: UpdateHall): Promise<Hall | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        earned: null,
        badgeSize: null,
        added: null,
        ...input,
        keeps_phone: input.phone === undefined,
      })
      return updated
    },

    /** Returns the id. */
    async deleteHall(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id })
      return deleted?.id
    },

    async listHall(query: HallQuery = {}): Promise<Hall[]> {
      if (!isPlain(query)) return collect(await matching(query))
      const all = await readList(query, {
        batch: (range) => list().execute({ ...range }),
        ids: (range) => ids().execute({ ...range }),
      })
      return collect(all)
    },

    /** The same in batches, so that memory does not grow with the list. */
    batchesOfHall(query: HallQuery) {
      if (!isPlain(query)) return matching(query)
      return readList(query, {
        batch: (range) => list().execute({ ...range }),
        ids: (range) => ids().execute({ ...range }),
      })
    },
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
      .prepare('find_all_hall'),
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
