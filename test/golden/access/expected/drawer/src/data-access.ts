import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateDrawer, CreatePaper, Drawer, Paper, UpdateDrawer, UpdatePaper } from './entities.ts'
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

  async createDrawer(input: Omit<CreateDrawer, 'id'>, caller: Pick<Caller, 'id'>): Promise<Drawer> {
    const { create } = this.#statements.drawer
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readDrawer(input: Lookup): Promise<Drawer | undefined> {
    const { read } = this.#statements.drawer
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateDrawer(input: UpdateDrawer): Promise<Drawer | undefined> {
    const { update } = this.#statements.drawer
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteDrawer(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.drawer
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listDrawer(range: Range = {}): Promise<Drawer[]> {
    const { list } = this.#statements.drawer
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createPaper(input: Omit<CreatePaper, 'id'>): Promise<Paper | undefined> {
    const { create } = this.#statements.paper
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readPaper(input: EntryLookup): Promise<Paper | undefined> {
    const { read } = this.#statements.paper
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updatePaper(input: UpdatePaper): Promise<Paper | undefined> {
    const { update } = this.#statements.paper
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deletePaper(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.paper
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listPaper(input: EntryRange): Promise<Paper[]> {
    const { list } = this.#statements.paper
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
