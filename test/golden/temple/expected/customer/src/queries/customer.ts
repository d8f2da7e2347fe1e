import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import { changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { CreateCustomer, Customer, UpdateCustomer } from '../entities.ts'
import { customer, type Database } from '../schema.ts'

const columns = getTableColumns(customer)
const { id: _id, ...attributes } = columns
const hasId = eq(customer.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${customer.id} = coalesce(${param('_owner')}, ${customer.id})`

/** Whose entities a query concerns. */
type Owner = Pick<Caller, 'id'>

/** The queries on Customer. They check access only if they are given an owner. */
export function customerQueries(db: Database) {
  const insert = once(() =>
    db.insert(customer).values(values(columns)).returning(columns).prepare('insert_customer'),
  )
  const select = once(() =>
    db.select(columns).from(customer).where(and(hasId, isOwned)).prepare('select_customer'),
  )
  const update = once(() =>
    db
      .update(customer)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_customer'),
  )
  const remove = once(() =>
    db.delete(customer).where(and(hasId, isOwned)).returning({ id: customer.id }).prepare('delete_customer'),
  )
  const list = once(() =>
    db
      .select(columns)
      .from(customer)
      .where(gt(customer.id, param('after')))
      .orderBy(customer.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_customer'),
  )

  return {
    async createCustomer(input: Omit<CreateCustomer, 'id'>, owner: Owner): Promise<Customer> {
      return single(await insert().execute({ ...input, id: owner.id }))
    },

    async readCustomer(input: { id: string }, owner?: Owner): Promise<Customer | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id, _owner: owner?.id })
      return found
    },

    async updateCustomer(input: UpdateCustomer, owner?: Owner): Promise<Customer | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ loyalty: null, ...input, _owner: owner?.id })
      return updated
    },

    /** Returns the id. */
    async deleteCustomer(input: { id: string }, owner?: Owner): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: owner?.id })
      return deleted?.id
    },

    async listCustomer(page: Page = {}): Promise<Customer[]> {
      return list().execute({ after: page.after ?? NIL_UUID, limit: page.limit })
    },
  }
}

/** Who may read and write a Customer. */
export function customerAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: customer.id }).from(customer).where(hasId).prepare('find_customer'),
  )

  async function requireReadable(id: string, caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found?.owner !== caller.id) throw notFound('Customer', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
