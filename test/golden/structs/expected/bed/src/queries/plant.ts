import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreatePlant, Plant, UpdatePlant } from '../entities.ts'
import { bed, type Database, plant } from '../schema.ts'

const columns = getTableColumns(plant)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(plant.parentId, param('_parent'))
const hasId = and(eq(plant.id, param('id')), isInParent)

/** The queries on Plant. They do not check access. */
export function plantQueries(db: Database) {
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(plant)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: bed.id,
            label: sql<string>`${param('label')}::text`.as('label'),
            planted: sql<string>`${param('planted')}::date`.as('planted'),
          })
          .from(bed)
          .where(eq(bed.id, param('_parent')))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_plant'),
  )
  const select = once(() => db.select(columns).from(plant).where(hasId).prepare('select_plant'))
  const update = once(() =>
    db.update(plant).set(changes(attributes)).where(hasId).returning(columns).prepare('update_plant'),
  )
  const remove = once(() => db.delete(plant).where(hasId).returning({ id: plant.id }).prepare('delete_plant'))
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(plant)
        .where(and(...conditions, isInParent, gt(plant.id, param('after'))))
        .orderBy(plant.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${plant.id} = any(${param('ids')})`
  const list = listOf('list_plant')
  const listIds = listOf('listIds_plant', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfPlant({ parentId, ...page }: Page & { parentId: string }) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, {
      rows: (range) => statement().execute({ ...range, _parent: parentId }),
      batches: oneBatch,
    })
  }

  return {
    /** Returns `undefined` without a parent. */
    async createPlant(input: Omit<CreatePlant, 'id'> & { id?: string }): Promise<Plant | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({ id: randomUUIDv7(), ...input, _parent: input.parentId })
      return created
    },

    async readPlant(input: { id: string; parentId: string }): Promise<Plant | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updatePlant(input: UpdatePlant): Promise<Plant | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _parent: input.parentId,
      })
      return updated
    },

    /** Returns the id. */
    async deletePlant(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId })
      return deleted?.id
    },

    async listPlant(page: Page & { parentId: string }): Promise<Plant[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfPlant(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyPlant(parentId: string, ids: readonly string[]): Promise<Plant[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfPlant({ parentId, 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfPlant,
  }
}
