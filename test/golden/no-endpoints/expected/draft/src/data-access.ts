import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateDraft, CreateNote, Draft, Note, UpdateDraft, UpdateNote } from './entities.ts'
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

  async createDraft(input: Omit<CreateDraft, 'id'>, caller: Pick<Caller, 'id'>): Promise<Draft> {
    const { create } = this.#statements.draft
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readDraft(input: Lookup): Promise<Draft | undefined> {
    const { read } = this.#statements.draft
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateDraft(input: UpdateDraft): Promise<Draft | undefined> {
    const { update } = this.#statements.draft
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteDraft(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.draft
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listDraft(range: Range = {}): Promise<Draft[]> {
    const { list } = this.#statements.draft
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createNote(input: Omit<CreateNote, 'id'>): Promise<Note | undefined> {
    const { create } = this.#statements.note
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readNote(input: EntryLookup): Promise<Note | undefined> {
    const { read } = this.#statements.note
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateNote(input: UpdateNote): Promise<Note | undefined> {
    const { update } = this.#statements.note
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteNote(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.note
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listNote(input: EntryRange): Promise<Note[]> {
    const { list } = this.#statements.note
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
