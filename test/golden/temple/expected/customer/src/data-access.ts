import type { Drizzle } from './database.ts'
import type { CreateCustomer, Customer, UpdateCustomer } from './entities.ts'
import type { Caller } from './identity.ts'
import { isUuid } from './ids.ts'
import type { Lookup, Range } from './lookups.ts'
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

  async createCustomer(input: Omit<CreateCustomer, 'id'>, caller: Pick<Caller, 'id'>): Promise<Customer> {
    const { create } = this.#statements.customer
    const [created] = await create.execute({ ...input, id: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readCustomer(input: Lookup): Promise<Customer | undefined> {
    const { read } = this.#statements.customer
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateCustomer(input: UpdateCustomer): Promise<Customer | undefined> {
    const { update } = this.#statements.customer
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input, loyalty: input.loyalty ?? null })
    return updated
  }

  async deleteCustomer(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.customer
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listCustomer(range: Range = {}): Promise<Customer[]> {
    const { list } = this.#statements.customer
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
