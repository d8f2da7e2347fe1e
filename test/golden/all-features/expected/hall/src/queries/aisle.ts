import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { Aisle, CreateAisle, UpdateAisle } from '../entities.ts'
import { aisle, type Database, hall } from '../schema.ts'

const columns = getTableColumns(aisle)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(aisle.parentId, param('_parent'))
const hasId = and(eq(aisle.id, param('id')), isInParent)

/** The queries on Aisle. They do not check access. */
export function aisleQueries(db: Database) {
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(aisle)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: hall.id,
            from: sql<string>`${param('from')}::uuid`.as('from'),
            to: sql<string>`${param('to')}::uuid`.as('to'),
            metres: sql<number>`${param('metres')}::double precision`.as('metres'),
            checked: sql<string>`${param('checked')}::timestamptz`.as('checked'),
          })
          .from(hall)
          .where(eq(hall.id, param('_parent')))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_aisle'),
  )
  const select = once(() => db.select(columns).from(aisle).where(hasId).prepare('select_aisle'))
  const update = once(() =>
    db.update(aisle).set(changes(attributes)).where(hasId).returning(columns).prepare('update_aisle'),
  )
  const remove = once(() => db.delete(aisle).where(hasId).returning({ id: aisle.id }).prepare('delete_aisle'))
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(aisle)
        .where(and(...conditions, isInParent, gt(aisle.id, param('after'))))
        .orderBy(aisle.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${aisle.id} = any(${param('ids')})`
  const list = listOf('list_aisle')
  const listIds = listOf('listIds_aisle', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfAisle({ parentId, ...page }: Page & { parentId: string }) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, {
      rows: (range) => statement().execute({ ...range, _parent: parentId }),
      batches: oneBatch,
    })
  }

  return {
    /** Returns `undefined` without a parent. */
    async createAisle(input: Omit<CreateAisle, 'id'> & { id?: string }): Promise<Aisle | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({ id: randomUUIDv7(), ...input, _parent: input.parentId })
      return created
    },

    async readAisle(input: { id: string; parentId: string }): Promise<Aisle | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updateAisle(input: UpdateAisle): Promise<Aisle | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _parent: input.parentId,
      })
      return updated
    },

    /** Returns the id. */
    async deleteAisle(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId })
      return deleted?.id
    },

    async listAisle(page: Page & { parentId: string }): Promise<Aisle[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfAisle(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyAisle(parentId: string, ids: readonly string[]): Promise<Aisle[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfAisle({ parentId, 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfAisle,
  }
}
