import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { ids } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { publicReadOnly } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of ReadOnly. */
export function readOnlyRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/read-only/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.as(caller).batchesOfReadOnly(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'ReadOnlyList', list, publicReadOnly)
    })
    .get('/read-only/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readReadOnly(input)
      if (found === undefined) throw notFound('ReadOnly', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicReadOnly(found))
    })
}
