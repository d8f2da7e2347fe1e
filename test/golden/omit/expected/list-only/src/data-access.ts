import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateGhost, CreateListOnly, Ghost, ListOnly, UpdateGhost, UpdateListOnly } from './entities.ts'
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

  async createListOnly(input: Omit<CreateListOnly, 'id'>, caller: Pick<Caller, 'id'>): Promise<ListOnly> {
    const { create } = this.#statements.listOnly
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readListOnly(input: Lookup): Promise<ListOnly | undefined> {
    const { read } = this.#statements.listOnly
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateListOnly(input: UpdateListOnly): Promise<ListOnly | undefined> {
    const { update } = this.#statements.listOnly
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteListOnly(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.listOnly
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listListOnly(range: Range = {}): Promise<ListOnly[]> {
    const { list } = this.#statements.listOnly
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createGhost(input: Omit<CreateGhost, 'id'>): Promise<Ghost | undefined> {
    const { create } = this.#statements.ghost
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readGhost(input: EntryLookup): Promise<Ghost | undefined> {
    const { read } = this.#statements.ghost
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateGhost(input: UpdateGhost): Promise<Ghost | undefined> {
    const { update } = this.#statements.ghost
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteGhost(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.ghost
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listGhost(input: EntryRange): Promise<Ghost[]> {
    const { list } = this.#statements.ghost
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
