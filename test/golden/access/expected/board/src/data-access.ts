import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { Board, CreateBoard, CreatePin, Pin, UpdateBoard, UpdatePin } from './entities.ts'
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

  async createBoard(input: Omit<CreateBoard, 'id'>, caller: Pick<Caller, 'id'>): Promise<Board> {
    const { create } = this.#statements.board
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readBoard(input: Lookup): Promise<Board | undefined> {
    const { read } = this.#statements.board
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateBoard(input: UpdateBoard): Promise<Board | undefined> {
    const { update } = this.#statements.board
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteBoard(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.board
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listBoard(range: Range = {}): Promise<Board[]> {
    const { list } = this.#statements.board
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createPin(input: Omit<CreatePin, 'id'>): Promise<Pin | undefined> {
    const { create } = this.#statements.pin
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readPin(input: EntryLookup): Promise<Pin | undefined> {
    const { read } = this.#statements.pin
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updatePin(input: UpdatePin): Promise<Pin | undefined> {
    const { update } = this.#statements.pin
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deletePin(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.pin
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listPin(input: EntryRange): Promise<Pin[]> {
    const { list } = this.#statements.pin
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
