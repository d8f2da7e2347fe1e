import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { pageOf, parameters, respond } from '#lib/endpoints.ts'
import { listQuery } from '#lib/filters.ts'
import { listResponse } from '#lib/lists.ts'
import { ids } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import * as schemas from './endpoints.ts'
import { publicHall } from './entities.ts'
import type { Env } from './hooks.ts'

/** The endpoints whose handlers are in setup.ts. */
export function endpointRoutes(env: Env) {
  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/hall/search', listQuery(schemas.SearchRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('query')
      const result = await env.endpoints.search.run(env, request, caller, c)
      return listResponse(c, env.log, 'HallList', pageOf(request.limit, result), publicHall)
    })
    .get(
      '/hall/:id/price/:day',
      ids('id'),
      parameters(schemas.PricePath),
      listQuery(schemas.PriceRequest),
      async (c) => {
        const { caller } = c.var
        const request = { ...c.req.valid('param'), ...c.req.valid('query') }
        await env.access.requireReadable(request.id, caller)
        const result = await env.endpoints.price.run(env, request, caller, c)
        return respond(c, 'Price', schemas.PriceResponse, schemas.publicPrice(result), 200)
      },
    )
}
