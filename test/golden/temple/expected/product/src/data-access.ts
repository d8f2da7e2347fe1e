import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateProduct, CreateReview, Product, Review, UpdateProduct, UpdateReview } from './entities.ts'
import type { Caller } from './identity.ts'
import { isUuid } from './ids.ts'
import type { EntryLookup, EntryRange, Lookup, Range } from './lookups.ts'
import type { Statements } from './statements.ts'

/**
 * What the service stores, for its own code: all stored attributes, no check of access. A method gives
 * `undefined` where nothing is found; a malformed id is one that is not there.
 */
export class DataAccess {
  readonly drizzle: Drizzle
  readonly #statements: Statements

  constructor(drizzle: Drizzle, statements: Statements) {
    this.drizzle = drizzle
    this.#statements = statements
  }

  async createProduct(input: Omit<CreateProduct, 'id'>, caller: Pick<Caller, 'id'>): Promise<Product> {
    const { create } = this.#statements.product
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readProduct(input: Lookup): Promise<Product | undefined> {
    const { read } = this.#statements.product
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateProduct(input: UpdateProduct): Promise<Product | undefined> {
    const { update } = this.#statements.product
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteProduct(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.product
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listProduct(range: Range = {}): Promise<Product[]> {
    const { list } = this.#statements.product
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createReview(input: Omit<CreateReview, 'id'>): Promise<Review | undefined> {
    const { create } = this.#statements.review
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readReview(input: EntryLookup): Promise<Review | undefined> {
    const { read } = this.#statements.review
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateReview(input: UpdateReview): Promise<Review | undefined> {
    const { update } = this.#statements.review
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteReview(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.review
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listReview(input: EntryRange): Promise<Review[]> {
    const { list } = this.#statements.review
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
