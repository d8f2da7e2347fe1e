import type { Drizzle } from './database.ts'
import type { CreateWorker, UpdateWorker, Worker } from './entities.ts'
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

  async createWorker(input: Omit<CreateWorker, 'id'>, caller: Pick<Caller, 'id'>): Promise<Worker> {
    const { create } = this.#statements.worker
    const [created] = await create.execute({ ...input, id: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readWorker(input: Lookup): Promise<Worker | undefined> {
    const { read } = this.#statements.worker
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateWorker(input: UpdateWorker): Promise<Worker | undefined> {
    const { update } = this.#statements.worker
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteWorker(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.worker
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listWorker(range: Range = {}): Promise<Worker[]> {
    const { list } = this.#statements.worker
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
