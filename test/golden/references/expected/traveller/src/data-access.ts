import type { Drizzle } from './database.ts'
import type { CreateTraveller, Traveller, UpdateTraveller } from './entities.ts'
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

  async createTraveller(input: Omit<CreateTraveller, 'id'>, caller: Pick<Caller, 'id'>): Promise<Traveller> {
    const { create } = this.#statements.traveller
    const [created] = await create.execute({ ...input, id: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readTraveller(input: Lookup): Promise<Traveller | undefined> {
    const { read } = this.#statements.traveller
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateTraveller(input: UpdateTraveller): Promise<Traveller | undefined> {
    const { update } = this.#statements.traveller
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteTraveller(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.traveller
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listTraveller(range: Range = {}): Promise<Traveller[]> {
    const { list } = this.#statements.traveller
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
