import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateItem, CreateSeal, Item, Seal, UpdateItem, UpdateSeal } from './entities.ts'
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

  async createItem(input: Omit<CreateItem, 'id'>, caller: Pick<Caller, 'id'>): Promise<Item> {
    const { create } = this.#statements.item
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readItem(input: Lookup): Promise<Item | undefined> {
    const { read } = this.#statements.item
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateItem(input: UpdateItem): Promise<Item | undefined> {
    const { update } = this.#statements.item
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({
      ...input,
      serial: input.serial ?? null,
      at: input.at ?? null,
      counted: input.counted ?? null,
      checked: input.checked ?? null,
      holder: input.holder ?? null,
      pinHash: input.pinHash ?? null,
      opensAt: input.opensAt ?? null,
      bought: input.bought ?? null,
      price: input.price ?? null,
      digest: input.digest ?? null,
    })
    return updated
  }

  async deleteItem(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.item
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listItem(range: Range = {}): Promise<Item[]> {
    const { list } = this.#statements.item
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createSeal(input: Omit<CreateSeal, 'id'>): Promise<Seal | undefined> {
    const { create } = this.#statements.seal
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readSeal(input: EntryLookup): Promise<Seal | undefined> {
    const { read } = this.#statements.seal
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateSeal(input: UpdateSeal): Promise<Seal | undefined> {
    const { update } = this.#statements.seal
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({
      ...input,
      mark: input.mark ?? null,
      hidden: input.hidden ?? null,
      _parent: input.parentId,
    })
    return updated
  }

  async deleteSeal(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.seal
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listSeal(input: EntryRange): Promise<Seal[]> {
    const { list } = this.#statements.seal
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
