import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type {
  Applause,
  CreateApplause,
  CreateSpeech,
  Speech,
  UpdateApplause,
  UpdateSpeech,
} from './entities.ts'
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

  async createSpeech(input: Omit<CreateSpeech, 'id'>, caller: Pick<Caller, 'id'>): Promise<Speech> {
    const { create } = this.#statements.speech
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readSpeech(input: Lookup): Promise<Speech | undefined> {
    const { read } = this.#statements.speech
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateSpeech(input: UpdateSpeech): Promise<Speech | undefined> {
    const { update } = this.#statements.speech
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteSpeech(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.speech
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listSpeech(range: Range = {}): Promise<Speech[]> {
    const { list } = this.#statements.speech
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createApplause(input: Omit<CreateApplause, 'id'>): Promise<Applause | undefined> {
    const { create } = this.#statements.applause
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readApplause(input: EntryLookup): Promise<Applause | undefined> {
    const { read } = this.#statements.applause
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateApplause(input: UpdateApplause): Promise<Applause | undefined> {
    const { update } = this.#statements.applause
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteApplause(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.applause
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listApplause(input: EntryRange): Promise<Applause[]> {
    const { list } = this.#statements.applause
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
