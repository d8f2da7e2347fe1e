import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { forbidden, notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, isEmpty, once, param, single, values } from '#lib/queries.ts'
import { ownerFilter } from '#lib/roles.ts'
import { isPlain, search } from '#lib/search.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { Booking, BookingQuery, CreateBooking, UpdateBooking } from '../entities.ts'
import { booking, type Database } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(booking)
const { createdAt: _createdAt, updatedAt: _updatedAt, ...written } = columns
const { id: _id, ...attributes } = written
const hasId = eq(booking.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${booking._owner} = coalesce(${param('_owner')}, ${booking._owner})`

/** The queries on Booking. They check access only on behalf of a caller. */
export function bookingQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(booking)
      .values({ ...values(written), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_booking'),
  )
  const select = once(() =>
    db.select(columns).from(booking).where(and(hasId, isOwned)).prepare('select_booking'),
  )
  const update = once(() =>
    db
      .update(booking)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_booking'),
  )
  const remove = once(() =>
    db.delete(booking).where(and(hasId, isOwned)).returning({ id: booking.id }).prepare('delete_booking'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(booking)
        .where(and(...conditions, gt(booking.id, param('after'))))
        .orderBy(booking.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${booking.id} = any(${param('ids')})`
  const list = listOf('list_booking')
  const listOwn = listOf('listOwn_booking', eq(booking._owner, param('_owner')))
  const listIds = listOf('listIds_booking', hasIds, isOwned)

  /** Reads a list, or the part of an owner, in batches, so that memory does not grow with it. */
  function batchesOfBooking(query: BookingQuery, owner: Owner | undefined) {
    if (!isPlain(query)) {
      return search(query, owner && eq(booking._owner, owner.id), {
        columns,
        rows: (slice) =>
          db
            .select(columns)
            .from(booking)
            .where(slice.where)
            .orderBy(...slice.order)
            .limit(slice.limit)
            .offset(slice.offset ?? 0),
        batches: oneBatch,
        count: (where) => db.$count(booking, where),
      })
    }
    const whole = owner === undefined ? list : listOwn
    const statement = query['id[in]'] === undefined ? whole : listIds
    return readList(query, {
      rows: (range) => statement().execute({ ...range, _owner: owner?.id }),
      batches: oneBatch,
    })
  }

  return ({ reader, writer, creator }: Limits = {}) => ({
    async createBooking(input: Omit<CreateBooking, 'id'> & { id?: string }, owner: Owner): Promise<Booking> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readBooking(input: { id: string }): Promise<Booking | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: reader?.id })
      return found
    },

    async updateBooking(input: UpdateBooking): Promise<Booking | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = isEmpty(attributes, input)
        ? await select().execute({ id: input.id, _owner: reader?.id })
        : await update().execute({ ...changed(attributes, input), id: input.id, _owner: writer?.id })
      return updated
    },

    /** Returns the id. */
    async deleteBooking(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listBooking(query: BookingQuery = {}): Promise<Booking[]> {
      return collect(await batchesOfBooking(query, reader))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyBooking(ids: readonly string[]): Promise<Booking[]> {
      return collect(await batchesOfBooking({ 'id[in]': ids.filter(isUuid) }, reader))
    },

    batchesOfBooking: (query: BookingQuery) => batchesOfBooking(query, reader),
  })
}

/** Who may read and write a Booking. */
export function bookingAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: booking._owner }).from(booking).where(and(hasId, isOwned)).prepare('find_booking'),
  )
  const selectIds = once(() =>
    db
      .select({ id: booking.id })
      .from(booking)
      .where(and(sql`${booking.id} = any(${param('ids')}::uuid[])`, isOwned))
      .prepare('findAll_booking'),
  )

  async function requireReadable(id: string, caller: Caller): Promise<string> {
    const owner = ownerFilter(caller, 'guide', 'organizer')
    const [found] = isUuid(id) ? await find().execute({ id, _owner: owner?.id }) : []
    if (found === undefined) throw notFound('Booking', id)
    return found.owner
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 or 403 unless the caller may write the entity. */
    async requireWritable(id: string, caller: Caller): Promise<void> {
      const owner = await requireReadable(id, caller)
      const writer = ownerFilter(caller, 'organizer')
      if (writer !== undefined && writer.id !== owner) throw forbidden()
    },

    /** Returns the ids of entities that do not exist or that the caller may not read. */
    async unknown(ids: readonly string[], caller: Caller): Promise<string[]> {
      const owner = ownerFilter(caller, 'guide', 'organizer')
      const found = await selectIds().execute({ ids: ids.filter(isUuid), _owner: owner?.id })
      const known = new Set(found.map(({ id }) => id))
      return ids.filter((id) => !known.has(id.toLowerCase()))
    },
  }
}
