import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { respond } from '#lib/endpoints.ts'
import { requireReferences } from '#lib/references.ts'
import { body, ids } from '#lib/requests.ts'
import { requireRole } from '#lib/roles.ts'
import type { Caller } from '#lib/tokens.ts'
import * as schemas from './endpoints.ts'
import { publicBooking } from './entities.ts'
import type { Env } from './hooks.ts'

/** The endpoints whose handlers are in setup.ts. */
export function endpointRoutes(env: Env) {
  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .put('/booking/:id/move', ids('id'), body(schemas.MoveRequest), async (c) => {
      const { caller } = c.var
      requireRole(caller, 'guide', 'organizer')
      const request = { ...c.req.valid('param'), ...c.req.valid('json') }
      await env.access.requireWritable(request.id, caller)
      await requireReferences([{ to: env.comm.hall, id: request.hall }], caller)
      const result = await env.endpoints.move.run(env, request, caller, c)
      return c.json(publicBooking(result))
    })
    .delete('/booking/:id/cancellation', ids('id'), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('param')
      await env.access.requireReadable(request.id, caller)
      const result = await env.endpoints.cancel.run(env, request, caller, c)
      return respond(c, 'Cancel', schemas.CancelResponse, schemas.publicCancel(result), 200)
    })
}
