import type { Drizzle } from './database.ts'
import type { CreateWriter, UpdateWriter, Writer } from './entities.ts'
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

  async createWriter(input: Omit<CreateWriter, 'id'>, caller: Pick<Caller, 'id'>): Promise<Writer> {
    const { create } = this.#statements.writer
    const [created] = await create.execute({ ...input, id: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readWriter(input: Lookup): Promise<Writer | undefined> {
    const { read } = this.#statements.writer
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateWriter(input: UpdateWriter): Promise<Writer | undefined> {
    const { update } = this.#statements.writer
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteWriter(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.writer
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listWriter(range: Range = {}): Promise<Writer[]> {
    const { list } = this.#statements.writer
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
