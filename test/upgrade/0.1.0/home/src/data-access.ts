import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateHome, CreatePhoto, Home, Photo, UpdateHome, UpdatePhoto } from './entities.ts'
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

  async createHome(input: Omit<CreateHome, 'id'>, caller: Pick<Caller, 'id'>): Promise<Home> {
    const { create } = this.#statements.home
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readHome(input: Lookup): Promise<Home | undefined> {
    const { read } = this.#statements.home
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateHome(input: UpdateHome): Promise<Home | undefined> {
    const { update } = this.#statements.home
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({
      ...input,
      owner: input.owner ?? null,
      listedAt: input.listedAt ?? null,
    })
    return updated
  }

  async deleteHome(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.home
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listHome(range: Range = {}): Promise<Home[]> {
    const { list } = this.#statements.home
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createPhoto(input: Omit<CreatePhoto, 'id'>): Promise<Photo | undefined> {
    const { create } = this.#statements.photo
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readPhoto(input: EntryLookup): Promise<Photo | undefined> {
    const { read } = this.#statements.photo
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updatePhoto(input: UpdatePhoto): Promise<Photo | undefined> {
    const { update } = this.#statements.photo
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deletePhoto(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.photo
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listPhoto(input: EntryRange): Promise<Photo[]> {
    const { list } = this.#statements.photo
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
