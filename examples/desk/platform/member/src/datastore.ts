import { eq } from 'drizzle-orm'
import { type Database, member } from './schema.ts'

/** Queries that `env.datastore` has beside the generated ones. */
export const queries = (db: Database) => ({
  /** Returns the organisation of a member, which nobody else can change until the transaction ends. */
  async lockOrganisation(id: string): Promise<string | null> {
    const { organisation } = member
    const [found] = await db.select({ organisation }).from(member).where(eq(member.id, id)).for('update')
    return found?.organisation ?? null
  },
})
