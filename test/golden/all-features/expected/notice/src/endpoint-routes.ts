import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { pageOf, respond } from '#lib/endpoints.ts'
import { listQuery } from '#lib/filters.ts'
import { listResponse } from '#lib/lists.ts'
import { requireCaller } from '#lib/public.ts'
import { body } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import * as schemas from './endpoints.ts'
import { publicCopy } from './entities.ts'
import type { Env } from './hooks.ts'

/** The endpoints whose handlers are in setup.ts. */
export function endpointRoutes(env: Env) {
  return new Hono<ApiEnv & { Variables: { caller: Caller | undefined } }>()
    .post('/notice/printed', body(schemas.PrintedRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const result = await env.endpoints.printed.run(env, request, caller, c)
      return respond(c, 'Printed', schemas.PrintedResponse, schemas.publicPrinted(result), 202)
    })
    .patch(
      '/notice/corrections',
      requireCaller,
      listQuery(schemas.CorrectPage),
      body(schemas.CorrectRequest),
      async (c) => {
        const { caller } = c.var
        const request = { ...c.req.valid('query'), ...c.req.valid('json') }
        const result = await env.endpoints.correct.run(env, request, caller, c)
        return listResponse(c, env.log, 'CopyList', pageOf(request.limit, result), publicCopy)
      },
    )
}
