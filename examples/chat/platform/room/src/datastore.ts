import { desc, eq } from 'drizzle-orm'
import { DataAccess } from './data-access.ts'
import { messageTable } from './schema.ts'

/** What hooks and routes have as `env.datastore`: the generated statements, and ours. */
export class Datastore extends DataAccess {
  /** The last thing said in a room, or `undefined` where nothing was. `roomId` is the id of a room that is there. */
  async latestMessage(roomId: string) {
    const { text, author, sentAt } = messageTable
    const [latest] = await this.drizzle
      .select({ text, author, sentAt })
      .from(messageTable)
      .where(eq(messageTable._parent, roomId))
      .orderBy(desc(messageTable.id))
      .limit(1)
    return latest
  }
}
