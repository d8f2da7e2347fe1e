import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateEmpty, CreateInner, Empty, Inner, UpdateEmpty, UpdateInner } from './entities.ts'
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

  async createInner(input: Omit<CreateInner, 'id'>, caller: Pick<Caller, 'id'>): Promise<Inner> {
    const { create } = this.#statements.inner
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readInner(input: Lookup): Promise<Inner | undefined> {
    const { read } = this.#statements.inner
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateInner(input: UpdateInner): Promise<Inner | undefined> {
    const { update } = this.#statements.inner
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input, count: input.count ?? null, seen: input.seen ?? null })
    return updated
  }

  async deleteInner(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.inner
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listInner(range: Range = {}): Promise<Inner[]> {
    const { list } = this.#statements.inner
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createEmpty(input: Omit<CreateEmpty, 'id'>): Promise<Empty | undefined> {
    const { create } = this.#statements.empty
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readEmpty(input: EntryLookup): Promise<Empty | undefined> {
    const { read } = this.#statements.empty
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateEmpty(input: UpdateEmpty): Promise<Empty | undefined> {
    const { update } = this.#statements.empty
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteEmpty(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.empty
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listEmpty(input: EntryRange): Promise<Empty[]> {
    const { list } = this.#statements.empty
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
