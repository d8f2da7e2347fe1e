import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreatePoster, CreateStamp, Poster, Stamp, UpdatePoster, UpdateStamp } from './entities.ts'
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

  async createPoster(input: Omit<CreatePoster, 'id'>, caller: Pick<Caller, 'id'>): Promise<Poster> {
    const { create } = this.#statements.poster
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readPoster(input: Lookup): Promise<Poster | undefined> {
    const { read } = this.#statements.poster
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updatePoster(input: UpdatePoster): Promise<Poster | undefined> {
    const { update } = this.#statements.poster
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deletePoster(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.poster
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listPoster(range: Range = {}): Promise<Poster[]> {
    const { list } = this.#statements.poster
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createStamp(input: Omit<CreateStamp, 'id'>): Promise<Stamp | undefined> {
    const { create } = this.#statements.stamp
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readStamp(input: EntryLookup): Promise<Stamp | undefined> {
    const { read } = this.#statements.stamp
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateStamp(input: UpdateStamp): Promise<Stamp | undefined> {
    const { update } = this.#statements.stamp
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteStamp(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.stamp
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listStamp(input: EntryRange): Promise<Stamp[]> {
    const { list } = this.#statements.stamp
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
