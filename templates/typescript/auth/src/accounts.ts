import { inArray } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { createApi } from '#lib/api.ts'
import { MAX_IDS } from '#lib/lists.ts'
import { body, limitBodies } from '#lib/requests.ts'
import { uuid } from '#lib/values.ts'
import type { Dependencies } from './app.ts'
import { rolesOf } from './roles.ts'
import { auth } from './schema.ts'

const AccountsRequest = z.object({
  ids: z.array(uuid, 'must be a list of strings').max(MAX_IDS, `must have at most ${MAX_IDS} ids`),
})

/** Creates what only the services with `#uses[Auth]` call: it tells them the email and the roles of accounts. */
export function createInternalApi(
  { config, log, database }: Pick<Dependencies, 'config' | 'log' | 'database'>,
  authenticateService: MiddlewareHandler,
) {
  return createApi({ service: 'Auth', log })
    .use(authenticateService, limitBodies(config))
    .post('/read-many', body(AccountsRequest), async (c) => {
      const { ids } = c.req.valid('json')
      const found = await database.db.select().from(auth).where(inArray(auth.id, ids))
      const entities = found.map((account) => {
        const { id, email } = account
        return { id, email, roles: rolesOf(account, config) }
      })
      return c.json({ entities })
    })
}
