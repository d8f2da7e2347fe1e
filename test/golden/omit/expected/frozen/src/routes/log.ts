import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, ids } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateLog, LogRequest, publicLog } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Log. */
export function logRoutes(env: Env) {
  const { datastore, access, log } = env
  const hooks = env.hooks.log

  const all = new Hono<ApiEnv & { Variables: { caller: Caller } }>().get(
    '/',
    ids('parentId', 'id'),
    page,
    async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const input = { ...c.req.valid('query'), parentId }
      await access.requireReadable(parentId, caller)
      await hooks.beforeList.run(env, input, caller)
      if (input.parentId !== parentId) await access.requireReadable(input.parentId, caller)
      const found = await datastore.batchesOfLog(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'LogList', list, publicLog)
    },
  )

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .route('/frozen/:parentId/log/:id/all', all)
    .route('/frozen/:parentId/log/all', all)
    .post('/frozen/:parentId/log', ids('parentId'), body(LogRequest), async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      if (hooks.beforeCreate.isUsed()) await access.requireWritable(parentId, caller)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateLog = {
          id: randomUUIDv7(),
          parentId,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.as(caller).createLog(input)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Frozen', input.parentId)
        }
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicLog(created), 201, {
        Location: `/api/frozen/${created.parentId}/log/${created.id}`,
      })
    })
    .get('/frozen/:parentId/log/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readLog(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, caller)
        throw notFound('Log', input.id)
      }
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicLog(found))
    })
}
