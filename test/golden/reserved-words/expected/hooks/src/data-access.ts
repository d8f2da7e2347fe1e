import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateHooks, CreateLog, Hooks_, Log_, UpdateHooks, UpdateLog } from './entities.ts'
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

  async createHooks(input: Omit<CreateHooks, 'id'>, caller: Pick<Caller, 'id'>): Promise<Hooks_> {
    const { create } = this.#statements.hooks
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readHooks(input: Lookup): Promise<Hooks_ | undefined> {
    const { read } = this.#statements.hooks
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateHooks(input: UpdateHooks): Promise<Hooks_ | undefined> {
    const { update } = this.#statements.hooks
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteHooks(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.hooks
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listHooks(range: Range = {}): Promise<Hooks_[]> {
    const { list } = this.#statements.hooks
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createLog(input: Omit<CreateLog, 'id'>): Promise<Log_ | undefined> {
    const { create } = this.#statements.log
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readLog(input: EntryLookup): Promise<Log_ | undefined> {
    const { read } = this.#statements.log
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateLog(input: UpdateLog): Promise<Log_ | undefined> {
    const { update } = this.#statements.log
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteLog(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.log
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listLog(input: EntryRange): Promise<Log_[]> {
    const { list } = this.#statements.log
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
