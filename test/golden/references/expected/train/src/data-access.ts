import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateSeat, CreateTrain, Seat, Train, UpdateSeat, UpdateTrain } from './entities.ts'
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

  async createTrain(input: Omit<CreateTrain, 'id'>, caller: Pick<Caller, 'id'>): Promise<Train> {
    const { create } = this.#statements.train
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readTrain(input: Lookup): Promise<Train | undefined> {
    const { read } = this.#statements.train
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateTrain(input: UpdateTrain): Promise<Train | undefined> {
    const { update } = this.#statements.train
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteTrain(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.train
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listTrain(range: Range = {}): Promise<Train[]> {
    const { list } = this.#statements.train
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createSeat(input: Omit<CreateSeat, 'id'>): Promise<Seat | undefined> {
    const { create } = this.#statements.seat
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readSeat(input: EntryLookup): Promise<Seat | undefined> {
    const { read } = this.#statements.seat
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateSeat(input: UpdateSeat): Promise<Seat | undefined> {
    const { update } = this.#statements.seat
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({
      ...input,
      through: input.through ?? null,
      _parent: input.parentId,
    })
    return updated
  }

  async deleteSeat(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.seat
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listSeat(input: EntryRange): Promise<Seat[]> {
    const { list } = this.#statements.seat
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
