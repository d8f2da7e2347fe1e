import type { Drizzle } from './database.ts'
import type { Soul, UpdateSoul } from './entities.ts'
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

  async createSoul(caller: Pick<Caller, 'id'>): Promise<Soul> {
    const { create } = this.#statements.soul
    const [created] = await create.execute({ id: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readSoul(input: Lookup): Promise<Soul | undefined> {
    const { read } = this.#statements.soul
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateSoul(input: UpdateSoul): Promise<Soul | undefined> {
    const { update } = this.#statements.soul
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteSoul(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.soul
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listSoul(range: Range = {}): Promise<Soul[]> {
    const { list } = this.#statements.soul
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
