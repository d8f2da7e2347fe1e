import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import type { Caller } from '#lib/tokens.ts'
import { publicListOnly } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of ListOnly. */
export function listOnlyRoutes(env: Env) {
  const { datastore, log, hooks } = env

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>().get('/list-only/all', page, async (c) => {
    const { caller } = c.var
    const input = c.req.valid('query')
    await hooks.beforeList.run(env, input, caller)
    const found = await datastore.as(caller).batchesOfListOnly(input)
    const list = await afterList(hooks.afterList, env, found, caller)
    return listResponse(c, log, 'ListOnlyList', list, publicListOnly)
  })
}
