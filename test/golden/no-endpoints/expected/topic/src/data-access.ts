import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateTopic, Topic, UpdateTopic } from './entities.ts'
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

  async createTopic(input: Omit<CreateTopic, 'id'>, caller: Pick<Caller, 'id'>): Promise<Topic> {
    const { create } = this.#statements.topic
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readTopic(input: Lookup): Promise<Topic | undefined> {
    const { read } = this.#statements.topic
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateTopic(input: UpdateTopic): Promise<Topic | undefined> {
    const { update } = this.#statements.topic
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteTopic(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.topic
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listTopic(range: Range = {}): Promise<Topic[]> {
    const { list } = this.#statements.topic
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
