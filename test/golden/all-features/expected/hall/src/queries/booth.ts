import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, isEmpty, once, param } from '#lib/queries.ts'
import { isPlain, search } from '#lib/search.ts'
import { transitions } from '#lib/transitions.ts'
import { isUuid } from '#lib/values.ts'
import type { Booth, BoothQuery, CreateBooth, UpdateBooth } from '../entities.ts'
import { booth, type Database, hall } from '../schema.ts'

const columns = getTableColumns(booth)
const { _version, createdAt: _createdAt, updatedAt: _updatedAt, ...written } = columns
const { id: _id, parentId: _parent, ...attributes } = written
const isInParent = eq(booth.parentId, param('_parent'))
const hasId = and(eq(booth.id, param('id')), isInParent)
/** Without versions, any matches. */
const hasVersion = and(
  hasId,
  sql`${booth._version} = any(coalesce(${param('_versions')}::bigint[], array[${booth._version}]))`,
)
/** Each value, followed by those that it can become. */
const states = transitions(columns, {
  state: [['free', 'taken']],
})

/** The queries on Booth. They do not check access. */
export function boothQueries(db: Database) {
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(booth)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: hall.id,
            _version: sql<number>`1`.as('_version'),
            number: sql<number>`${param('number')}::integer`.as('number'),
            state: sql<'free' | 'taken'>`${param('state')}::text`.as('state'),
            createdAt: sql<string>`now()`.as('_created_at'),
            updatedAt: sql<string>`now()`.as('_updated_at'),
          })
          .from(hall)
          .where(eq(hall.id, param('_parent')))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_booth'),
  )
  const select = once(() => db.select(columns).from(booth).where(hasId).prepare('select_booth'))
  const writable = once(() => db.select(columns).from(booth).where(hasVersion).prepare('writable_booth'))
  const update = once(() =>
    db
      .update(booth)
      .set(changes(attributes))
      .where(and(hasVersion, ...states.conditions))
      .returning(columns)
      .prepare('update_booth'),
  )
  const remove = once(() =>
    db.delete(booth).where(hasVersion).returning({ id: booth.id }).prepare('delete_booth'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(booth)
        .where(and(...conditions, isInParent, gt(booth.id, param('after'))))
        .orderBy(booth.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${booth.id} = any(${param('ids')})`
  const list = listOf('list_booth')
  const listIds = listOf('listIds_booth', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfBooth({ parentId, ...query }: BoothQuery & { parentId: string }) {
    if (!isPlain(query)) {
      return search(query, eq(booth.parentId, parentId), {
        columns,
        rows: (slice) =>
          db
            .select(columns)
            .from(booth)
            .where(slice.where)
            .orderBy(...slice.order)
            .limit(slice.limit)
            .offset(slice.offset ?? 0),
        batches: oneBatch,
        count: (where) => db.$count(booth, where),
      })
    }
    const statement = query['id[in]'] === undefined ? list : listIds
    return readList(query, {
      rows: (range) => statement().execute({ ...range, _parent: parentId }),
      batches: oneBatch,
    })
  }

  return {
    /** Returns `undefined` without a parent. */
    async createBooth(input: Omit<CreateBooth, 'id'> & { id?: string }): Promise<Booth | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({ id: randomUUIDv7(), ...input, _parent: input.parentId })
      return created
    },

    async readBooth(input: { id: string; parentId: string }): Promise<Booth | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updateBooth(input: UpdateBooth, versions?: readonly number[]): Promise<Booth | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      if (isEmpty(attributes, input)) {
        const [found] = await select().execute({ id: input.id, _parent: input.parentId })
        return versions?.includes(found?._version ?? 0) === false ? undefined : found
      }
      const keys = { id: input.id, _parent: input.parentId, _versions: versions }
      return states.update(
        input,
        () => update().execute({ ...changed(attributes, input), ...keys }),
        () => writable().execute(keys),
      )
    },

    /** Returns the id. */
    async deleteBooth(
      input: { id: string; parentId: string },
      versions?: readonly number[],
    ): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _versions: versions })
      return deleted?.id
    },

    async listBooth(query: BoothQuery & { parentId: string }): Promise<Booth[]> {
      if (!isUuid(query.parentId)) return []
      return collect(await batchesOfBooth(query))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyBooth(parentId: string, ids: readonly string[]): Promise<Booth[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfBooth({ parentId, 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfBooth,
  }
}
