import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { CreateWatering, UpdateWatering, Watering } from '../entities.ts'
import { bed, type Database, watering } from '../schema.ts'

const columns = getTableColumns(watering)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(watering.parentId, param('_parent'))
const hasId = and(eq(watering.id, param('id')), isInParent)

/** The queries on Watering. They do not check access. */
export function wateringQueries(db: Database) {
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(watering)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: bed.id,
            litres: sql<number>`${param('litres')}::double precision`.as('litres'),
            done: sql<string>`${param('done')}::timestamptz`.as('done'),
          })
          .from(bed)
          .where(eq(bed.id, param('_parent')))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_watering'),
  )
  const select = once(() => db.select(columns).from(watering).where(hasId).prepare('select_watering'))
  const update = once(() =>
    db.update(watering).set(changes(attributes)).where(hasId).returning(columns).prepare('update_watering'),
  )
  const remove = once(() =>
    db.delete(watering).where(hasId).returning({ id: watering.id }).prepare('delete_watering'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(watering)
        .where(and(...conditions, isInParent, gt(watering.id, param('after'))))
        .orderBy(watering.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${watering.id} = any(${param('ids')})`
  const list = listOf('list_watering')
  const listIds = listOf('listIds_watering', hasIds)

  return {
    /** Returns `undefined` without a parent. */
    async createWatering(input: Omit<CreateWatering, 'id'> & { id?: string }): Promise<Watering | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({ id: randomUUIDv7(), ...input, _parent: input.parentId })
      return created
    },

    async readWatering(input: { id: string; parentId: string }): Promise<Watering | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updateWatering(input: UpdateWatering): Promise<Watering | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _parent: input.parentId,
      })
      return updated
    },

    /** Returns the id. */
    async deleteWatering(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId })
      return deleted?.id
    },

    async listWatering(page: Page & { parentId: string }): Promise<Watering[]> {
      if (!isUuid(page.parentId)) return []
      return list().execute({ _parent: page.parentId, after: page.after ?? NIL_UUID, limit: page.limit })
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyWatering(parentId: string, ids: readonly string[]): Promise<Watering[]> {
      if (!isUuid(parentId)) return []
      return listIds().execute({
        ids: ids.filter(isUuid),
        _parent: parentId,
        after: NIL_UUID,
        limit: undefined,
      })
    },
  }
}
