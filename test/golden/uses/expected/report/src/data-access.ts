import { v7 } from 'uuid'
import type { Drizzle } from './database.ts'
import type { CreateReport, Report, UpdateReport } from './entities.ts'
import type { Caller } from './identity.ts'
import { isUuid } from './ids.ts'
import type { Lookup, Range } from './lookups.ts'
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

  async createReport(input: Omit<CreateReport, 'id'>, caller: Pick<Caller, 'id'>): Promise<Report> {
    const { create } = this.#statements.report
    const [created] = await create.execute({ ...input, id: v7(), _caller: caller.id })
    if (created === undefined) throw new Error('Nothing was created')
    return created
  }

  async readReport(input: Lookup): Promise<Report | undefined> {
    const { read } = this.#statements.report
    if (!isUuid(input.id)) return undefined
    const [found] = await read.execute({ id: input.id })
    return found
  }

  async updateReport(input: UpdateReport): Promise<Report | undefined> {
    const { update } = this.#statements.report
    if (!isUuid(input.id)) return undefined
    const [updated] = await update.execute({ ...input, text: input.text ?? null })
    return updated
  }

  async deleteReport(input: Lookup): Promise<string | undefined> {
    const { delete: remove } = this.#statements.report
    if (!isUuid(input.id)) return undefined
    const [deleted] = await remove.execute({ id: input.id })
    return deleted?.id
  }

  async listReport(range: Range = {}): Promise<Report[]> {
    const { list } = this.#statements.report
    const { after = FIRST, limit = null } = range
    return list.execute({ after, limit })
  }
}

/** An id that no entity has: the ids of all others are greater. */
const FIRST = '00000000-0000-0000-0000-000000000000'
