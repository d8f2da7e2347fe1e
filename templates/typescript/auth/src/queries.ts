import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { once, param, values } from '#lib/queries.ts'
import { isUuid } from '#lib/values.ts'
import { auth, type Database } from './schema.ts'

/** A stored user account. */
export type Auth = typeof auth.$inferSelect

/** The queries on user accounts. Emails are compared without regard to case. */
export function authQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(auth)
      .values(values(getTableColumns(auth)))
      .prepare('insert_auth'),
  )
  const find = once(() =>
    db
      .select()
      .from(auth)
      .where(eq(sql`lower(${auth.email} COLLATE "C")`, sql`lower(${param('email')}::text COLLATE "C")`))
      .prepare('find_auth'),
  )

  return {
    /** Throws a database error for the constraint `auth__email__key` if the email is registered already. */
    async createAuth(account: Auth): Promise<Auth> {
      await insert().execute({ ...account })
      return account
    },

    async readAuth({ id }: { id: string }): Promise<Auth | undefined> {
      if (!isUuid(id)) return undefined
      const [account] = await db.select().from(auth).where(eq(auth.id, id))
      return account
    },

    async findAuth({ email }: { email: string }): Promise<Auth | undefined> {
      const [account] = await find().execute({ email })
      return account
    },

    /** Changes the given attributes. Returns the updated account, or `undefined` if it does not exist. */
    async updateAuth({ id, ...changes }: Partial<Auth> & { id: string }): Promise<Auth | undefined> {
      if (!isUuid(id)) return undefined
      const [account] = await db
        .update(auth)
        .set({ id, ...changes })
        .where(eq(auth.id, id))
        .returning()
      return account
    },

    /** Returns whether the account existed. */
    async deleteAuth({ id }: { id: string }): Promise<boolean> {
      if (!isUuid(id)) return false
      const deleted = await db.delete(auth).where(eq(auth.id, id)).returning({ id: auth.id })
      return deleted.length > 0
    },

    listAuth: (): Promise<Auth[]> => db.select().from(auth).orderBy(asc(auth.id)),
  }
}
