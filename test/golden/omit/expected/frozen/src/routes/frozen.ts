import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, ids } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateFrozen, FrozenRequest, publicFrozen } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Frozen. */
export function frozenRoutes(env: Env) {
  const { datastore, access, hooks } = env

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/frozen', body(FrozenRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateFrozen = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createFrozen(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicFrozen(created), 201, { Location: `/api/frozen/${created.id}` })
    })
    .get('/frozen/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readFrozen(input)
      if (found === undefined) throw notFound('Frozen', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicFrozen(found))
    })
    .delete('/frozen/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteFrozen(input)
        if (deleted === undefined) throw notFound('Frozen', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
