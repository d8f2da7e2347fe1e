import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type {
  Check,
  CreateCheck,
  CreateGroup,
  CreateOrder,
  Group,
  Order,
  UpdateCheck,
  UpdateGroup,
  UpdateOrder,
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

  async createOrder(input: Omit<CreateOrder, 'id'>, caller: Pick<Caller, 'id'>): Promise<Order> {
    const { create } = this.#statements.order
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readOrder(input: Lookup): Promise<Order | undefined> {
    const { read } = this.#statements.order
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateOrder(input: UpdateOrder): Promise<Order | undefined> {
    const { update } = this.#statements.order
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({
      ...input,
      function: input.function ?? null,
      default: input.default ?? null,
    })
    return updated
  }

  async deleteOrder(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.order
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listOrder(range: Range = {}): Promise<Order[]> {
    const { list } = this.#statements.order
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createGroup(input: Omit<CreateGroup, 'id'>): Promise<Group | undefined> {
    const { create } = this.#statements.group
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readGroup(input: EntryLookup): Promise<Group | undefined> {
    const { read } = this.#statements.group
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateGroup(input: UpdateGroup): Promise<Group | undefined> {
    const { update } = this.#statements.group
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteGroup(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.group
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listGroup(input: EntryRange): Promise<Group[]> {
    const { list } = this.#statements.group
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }

  async createCheck(input: Omit<CreateCheck, 'id'>): Promise<Check | undefined> {
    const { create } = this.#statements.check
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readCheck(input: EntryLookup): Promise<Check | undefined> {
    const { read } = this.#statements.check
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateCheck(input: UpdateCheck): Promise<Check | undefined> {
    const { update } = this.#statements.check
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteCheck(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.check
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listCheck(input: EntryRange): Promise<Check[]> {
    const { list } = this.#statements.check
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
