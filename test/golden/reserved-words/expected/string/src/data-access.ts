import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateMap, CreateString, Map_, String_, UpdateMap, UpdateString } from './entities.ts'
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

  async createString(input: Omit<CreateString, 'id'>, caller: Pick<Caller, 'id'>): Promise<String_> {
    const { create } = this.#statements.string
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readString(input: Lookup): Promise<String_ | undefined> {
    const { read } = this.#statements.string
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateString(input: UpdateString): Promise<String_ | undefined> {
    const { update } = this.#statements.string
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteString(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.string
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listString(range: Range = {}): Promise<String_[]> {
    const { list } = this.#statements.string
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createMap(input: Omit<CreateMap, 'id'>): Promise<Map_ | undefined> {
    const { create } = this.#statements.map
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readMap(input: EntryLookup): Promise<Map_ | undefined> {
    const { read } = this.#statements.map
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateMap(input: UpdateMap): Promise<Map_ | undefined> {
    const { update } = this.#statements.map
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteMap(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.map
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listMap(input: EntryRange): Promise<Map_[]> {
    const { list } = this.#statements.map
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
