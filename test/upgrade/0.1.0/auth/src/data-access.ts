import { eq, sql } from 'drizzle-orm'
import type { Drizzle } from './database.ts'
import { isUuid } from './ids.ts'
import { auth } from './schema.ts'

/** A stored record. */
export type Auth = typeof auth.$inferSelect

/** The statements on records. Emails are found whatever their case. */
export class DataAccess {
  readonly drizzle: Drizzle

  constructor(drizzle: Drizzle) {
    this.drizzle = drizzle
  }

  /** Throws a database error of the kind `unique` where the email is taken. */
  async createAuth(record: Auth): Promise<Auth> {
    await this.drizzle.insert(auth).values(record)
    return record
  }

  async readAuth({ id }: { id: string }): Promise<Auth | undefined> {
    if (!isUuid(id)) return undefined
    const [record] = await this.drizzle.select().from(auth).where(eq(auth.id, id))
    return record
  }

  async findAuth({ email }: { email: string }): Promise<Auth | undefined> {
    const [record] = await this.drizzle
      .select()
      .from(auth)
      .where(eq(sql`lower(${auth.email} COLLATE "C")`, sql`lower(${email}::text COLLATE "C")`))
    return record
  }

  /** Changes what is given and returns the new record, or `undefined` where there is none. */
  async updateAuth({ id, ...changes }: Partial<Auth> & { id: string }): Promise<Auth | undefined> {
    if (!isUuid(id)) return undefined
    if (Object.values(changes).every((value) => value === undefined)) return this.readAuth({ id })
    const [record] = await this.drizzle.update(auth).set(changes).where(eq(auth.id, id)).returning()
    return record
  }

  /** Whether there was one. */
  async deleteAuth({ id }: { id: string }): Promise<boolean> {
    if (!isUuid(id)) return false
    const deleted = await this.drizzle.delete(auth).where(eq(auth.id, id)).returning({ id: auth.id })
    return deleted.length > 0
  }

  async listAuth(): Promise<Auth[]> {
    return this.drizzle.select().from(auth).orderBy(auth.id)
  }
}
