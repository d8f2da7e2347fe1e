import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type {
  CreateHTTPProxy2,
  CreateTLSCert,
  HTTPProxy2,
  TLSCert,
  UpdateHTTPProxy2,
  UpdateTLSCert,
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

  async createHTTPProxy2(input: Omit<CreateHTTPProxy2, 'id'>): Promise<HTTPProxy2> {
    const { create } = this.#statements.httpProxy2
    const [created] = await create.execute({ ...input, id: v7() })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readHTTPProxy2(input: Lookup): Promise<HTTPProxy2 | undefined> {
    const { read } = this.#statements.httpProxy2
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateHTTPProxy2(input: UpdateHTTPProxy2): Promise<HTTPProxy2 | undefined> {
    const { update } = this.#statements.httpProxy2
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input })
    return updated
  }

  async deleteHTTPProxy2(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.httpProxy2
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listHTTPProxy2(range: Range = {}): Promise<HTTPProxy2[]> {
    const { list } = this.#statements.httpProxy2
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }

  async createTLSCert(input: Omit<CreateTLSCert, 'id'>): Promise<TLSCert | undefined> {
    const { create } = this.#statements.tlsCert
    if (!isUuid(input.parentId)) return undefined
    const [created] = await create.execute({ ...input, id: v7(), _parent: input.parentId })
    return created
  }

  async readTLSCert(input: EntryLookup): Promise<TLSCert | undefined> {
    const { read } = this.#statements.tlsCert
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [found] = await read.execute({ id: input.id, _parent: input.parentId })
    return found
  }

  async updateTLSCert(input: UpdateTLSCert): Promise<TLSCert | undefined> {
    const { update } = this.#statements.tlsCert
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [updated] = await update.execute({ ...input, _parent: input.parentId })
    return updated
  }

  async deleteTLSCert(input: EntryLookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.tlsCert
    if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
    const [deleted] = await remove.execute({ id: input.id, _parent: input.parentId })
    return deleted?.id
  }

  async listTLSCert(input: EntryRange): Promise<TLSCert[]> {
    const { list } = this.#statements.tlsCert
    if (!isUuid(input.parentId)) return []
    const { parentId: _parent, after = FIRST, limit = null } = input
    return list.execute({ _parent, after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
