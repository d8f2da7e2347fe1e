import type { Drizzle } from './database.ts'
import type { CreateUser, UpdateUser, User } from './entities.ts'
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

  async createUser(input: Omit<CreateUser, 'id'>, caller: Pick<Caller, 'id'>): Promise<User> {
    const { create } = this.#statements.user
    const [created] = await create.execute({ ...input, id: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readUser(input: Lookup): Promise<User | undefined> {
    const { read } = this.#statements.user
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateUser(input: UpdateUser): Promise<User | undefined> {
    const { update } = this.#statements.user
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteUser(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.user
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listUser(range: Range = {}): Promise<User[]> {
    const { list } = this.#statements.user
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
