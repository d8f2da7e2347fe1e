import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateEvery, Every, UpdateEvery } from './entities.ts'
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

  async createEvery(input: Omit<CreateEvery, 'id'>): Promise<Every> {
    const { create } = this.#statements.every
    const [created] = await create.execute({ ...input, id: v7() })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readEvery(input: Lookup): Promise<Every | undefined> {
    const { read } = this.#statements.every
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateEvery(input: UpdateEvery): Promise<Every | undefined> {
    const { update } = this.#statements.every
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteEvery(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.every
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listEvery(range: Range = {}): Promise<Every[]> {
    const { list } = this.#statements.every
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
