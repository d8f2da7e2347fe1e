import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { forbidden, notFound } from '#lib/errors.ts'
import { collect, oneBatch, readList } from '#lib/lists.ts'
import { changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { CreateProduct, Product, UpdateProduct } from '../entities.ts'
import { type Database, product } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(product)
const { id: _id, ...attributes } = columns
const hasId = eq(product.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${product._owner} = coalesce(${param('_owner')}, ${product._owner})`

/** Whose entities a query concerns. */
type Owner = Pick<Caller, 'id'>

/** The queries on Product. They check access only if they are given an owner. */
export function productQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(product)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_product'),
  )
  const select = once(() => db.select(columns).from(product).where(hasId).prepare('select_product'))
  const update = once(() =>
    db
      .update(product)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_product'),
  )
  const remove = once(() =>
    db.delete(product).where(and(hasId, isOwned)).returning({ id: product.id }).prepare('delete_product'),
  )
  const list = once(() =>
    db
      .select(columns)
      .from(product)
      .where(gt(product.id, param('after')))
      .orderBy(product.id)
      .limit(sql.placeholder('limit'))
      .prepare('list_product'),
  )

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfProduct(page: Page) {
    return readList(page, { rows: (range) => list().execute({ ...range }), batches: oneBatch })
  }

  return {
    async createProduct(input: Omit<CreateProduct, 'id'> & { id?: string }, owner: Owner): Promise<Product> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: owner.id }))
    },

    async readProduct(input: { id: string }): Promise<Product | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateProduct(input: UpdateProduct, owner?: Owner): Promise<Product | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ ...input, _owner: owner?.id })
      return updated
    },

    /** Returns the id. */
    async deleteProduct(input: { id: string }, owner?: Owner): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: owner?.id })
      return deleted?.id
    },

    async listProduct(page: Page = {}): Promise<Product[]> {
      return collect(await batchesOfProduct(page))
    },

    batchesOfProduct,
  }
}

/** Who may read and write a Product. */
export function productAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: product._owner }).from(product).where(hasId).prepare('find_product'),
  )
  const selectIds = once(() =>
    db
      .select({ id: product.id })
      .from(product)
      .where(sql`${product.id} = any(${param('ids')}::uuid[])`)
      .prepare('findAll_product'),
  )

  async function requireReadable(id: string, _caller: Caller): Promise<string> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Product', id)
    return found.owner
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 or 403 unless the caller may write the entity. */
    async requireWritable(id: string, caller: Caller): Promise<void> {
      if ((await requireReadable(id, caller)) !== caller.id) throw forbidden()
    },

    /** Returns the ids of entities that do not exist or that the caller may not read. */
    async unknown(ids: readonly string[], _caller: Caller): Promise<string[]> {
      const found = await selectIds().execute({ ids: ids.filter(isUuid) })
      const known = new Set(found.map(({ id }) => id))
      return ids.filter((id) => !known.has(id.toLowerCase()))
    },
  }
}
