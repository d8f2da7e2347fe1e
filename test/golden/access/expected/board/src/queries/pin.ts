import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import type { CreatePin, Pin, UpdatePin } from '../entities.ts'
import { board, type Database, pin } from '../schema.ts'

const columns = getTableColumns(pin)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(pin.parentId, param('_parent'))
const hasId = and(eq(pin.id, param('id')), isInParent)

/** The queries on Pin. They do not check access. */
export function pinQueries(db: Database) {
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(pin)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: board.id,
            colour: sql<string>`${param('colour')}::text`.as('colour'),
          })
          .from(board)
          .where(eq(board.id, param('_parent')))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_pin'),
  )
  const select = once(() => db.select(columns).from(pin).where(hasId).prepare('select_pin'))
  const update = once(() =>
    db.update(pin).set(changes(attributes)).where(hasId).returning(columns).prepare('update_pin'),
  )
  const remove = once(() => db.delete(pin).where(hasId).returning({ id: pin.id }).prepare('delete_pin'))
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(pin)
        .where(and(...conditions, isInParent, gt(pin.id, param('after'))))
        .orderBy(pin.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${pin.id} = any(${param('ids')})`
  const list = listOf('list_pin')
  const listIds = listOf('listIds_pin', hasIds)

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfPin({ parentId, ...page }: Page & { parentId: string }) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, {
      rows: (range) => statement().execute({ ...range, _parent: parentId }),
      batches: oneBatch,
    })
  }

  return {
    /** Returns `undefined` without a parent. */
    async createPin(input: Omit<CreatePin, 'id'> & { id?: string }): Promise<Pin | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({ id: randomUUIDv7(), ...input, _parent: input.parentId })
      return created
    },

    async readPin(input: { id: string; parentId: string }): Promise<Pin | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updatePin(input: UpdatePin): Promise<Pin | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _parent: input.parentId,
      })
      return updated
    },

    /** Returns the id. */
    async deletePin(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId })
      return deleted?.id
    },

    async listPin(page: Page & { parentId: string }): Promise<Pin[]> {
      if (!isUuid(page.parentId)) return []
      return collect(await batchesOfPin(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyPin(parentId: string, ids: readonly string[]): Promise<Pin[]> {
      if (!isUuid(parentId)) return []
      return collect(await batchesOfPin({ parentId, 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfPin,
  }
}
