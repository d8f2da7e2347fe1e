import { and, isNull, sql } from 'drizzle-orm'
import { customer, type Database } from './schema.ts'

/** Queries that `env.datastore` has beside the generated ones. */
export const queries = (db: Database) => ({
  /** Returns customers with all of the words, in the order of their names, from the one after the id `after`. */
  async search(words: readonly string[], limit: number, after?: string) {
    const { id, name, address, archivedAt } = customer
    const text = sql`lower(${name} || ' ' || ${address})`
    const conditions = words.map((word) => sql`strpos(${text}, lower(${word})) > 0`)
    if (after !== undefined)
      conditions.push(sql`(${name}, ${id}) > (SELECT name, id FROM customer WHERE id = ${after})`)
    const where = and(isNull(archivedAt), ...conditions)
    return db.select().from(customer).where(where).orderBy(name, id).limit(limit)
  },
})
