import { desc, eq } from 'drizzle-orm'
import { type Database, message } from './schema.ts'

/** Queries that `env.datastore` has beside the generated ones. */
export const queries = (db: Database) => ({
  /** Returns the latest message in a room, or `undefined` without messages. `roomId` must be the id of a room. */
  async latestMessage(roomId: string) {
    const { text, author, sentAt } = message
    const [latest] = await db
      .select({ text, author, sentAt })
      .from(message)
      .where(eq(message.parentId, roomId))
      .orderBy(desc(message.id))
      .limit(1)
    return latest
  },
})
