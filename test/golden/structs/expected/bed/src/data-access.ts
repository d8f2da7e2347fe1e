import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type {
  Bed,
  CreateBed,
  CreatePlant,
  CreateWatering,
  Plant,
  UpdateBed,
  UpdatePlant,
  UpdateWatering,
  Watering,
} from './entities.ts'
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

  async createBed(input: Omit<CreateBed, 'id'>): Promise<Bed> {
    const { create } = this.#statements.bed
    const [created] = await create.execute({ ...input, id: v7() })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readBed(input: Lookup): Promise<Bed | undefined> {
    const { read } = this.#statements.bed
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateBed(input: UpdateBed): Promise<Bed | undefined> {
    const { update } = this.#statements.bed
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteBed(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.bed
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listBed(range: Range = {}): Promise<Bed[]> {
    const { list } = this.#statements.bed
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createPlant(input: Omit<CreatePlant, 'id'>): Promise<Plant | undefined> {
    const { create } = this.#statements.plant
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readPlant(input: EntryLookup): Promise<Plant | undefined> {
    const { read } = this.#statements.plant
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updatePlant(input: UpdatePlant): Promise<Plant | undefined> {
    const { update } = this.#statements.plant
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deletePlant(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.plant
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listPlant(input: EntryRange): Promise<Plant[]> {
    const { list } = this.#statements.plant
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }

  async createWatering(input: Omit<CreateWatering, 'id'>): Promise<Watering | undefined> {
    const { create } = this.#statements.watering
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readWatering(input: EntryLookup): Promise<Watering | undefined> {
    const { read } = this.#statements.watering
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateWatering(input: UpdateWatering): Promise<Watering | undefined> {
    const { update } = this.#statements.watering
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, done: input.done ?? null, _parent: input.parentId })
    return updated
  }

  async deleteWatering(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.watering
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listWatering(input: EntryRange): Promise<Watering[]> {
    const { list } = this.#statements.watering
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
