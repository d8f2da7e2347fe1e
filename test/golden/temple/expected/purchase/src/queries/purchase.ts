import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import { changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { CreatePurchase, Purchase, UpdatePurchase } from '../entities.ts'
import { type Database, purchase } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(purchase)
const { id: _id, ...attributes } = columns
const hasId = eq(purchase.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${purchase._owner} = coalesce(${param('_owner')}, ${purchase._owner})`

/** Whose entities a query concerns. */
type Owner = Pick<Caller, 'id'>

/** The queries on Purchase. They check access only if they are given an owner. */
export function purchaseQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(purchase)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_purchase'),
  )
  const select = once(() =>
    db.select(columns).from(purchase).where(and(hasId, isOwned)).prepare('select_purchase'),
  )
  const update = once(() =>
    db
      .update(purchase)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_purchase'),
  )
  const remove = once(() =>
    db.delete(purchase).where(and(hasId, isOwned)).returning({ id: purchase.id }).prepare('delete_purchase'),
  )
  const list = once(() =>
    db
      .select(columns)
      .from(purchase)
      .where(gt(purchase.id, param('after')))
      .orderBy(purchase.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_purchase'),
  )

  return {
    async createPurchase(
      input: Omit<CreatePurchase, 'id'> & { id?: string },
      owner: Owner,
    ): Promise<Purchase> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: owner.id }))
    },

    async readPurchase(input: { id: string }, owner?: Owner): Promise<Purchase | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: owner?.id })
      return found
    },

    async updatePurchase(input: UpdatePurchase, owner?: Owner): Promise<Purchase | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ ...input, _owner: owner?.id })
      return updated
    },

    /** Returns the id. */
    async deletePurchase(input: { id: string }, owner?: Owner): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: owner?.id })
      return deleted?.id
    },

    async listPurchase(page: Page = {}): Promise<Purchase[]> {
      return list().execute({ after: page.after ?? NIL_UUID, limit: page.limit })
    },
  }
}

/** Who may read and write a Purchase. */
export function purchaseAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: purchase._owner }).from(purchase).where(hasId).prepare('find_purchase'),
  )

  async function requireReadable(id: string, caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found?.owner !== caller.id) throw notFound('Purchase', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
