import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { ids } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { publicStatistic } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Statistic. */
export function statisticRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/statistic/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.as(caller).batchesOfStatistic(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'StatisticList', list, publicStatistic)
    })
    .get('/statistic/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readStatistic(input)
      if (found === undefined) throw notFound('Statistic', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicStatistic(found))
    })
}
