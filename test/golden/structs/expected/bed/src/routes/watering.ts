import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, ids } from '#lib/requests.ts'
import { type CreateWatering, publicWatering, WateringRequest } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Watering. */
export function wateringRoutes(env: Env) {
  const { datastore, access } = env
  const hooks = env.hooks.watering

  return new Hono<ApiEnv>()
    .post('/bed/:parentId/watering', ids('parentId'), body(WateringRequest), async (c) => {
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      if (hooks.beforeCreate.isUsed()) await access.requireWritable(parentId, undefined)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateWatering = {
          id: randomUUIDv7(),
          parentId,
          ...request,
          done: '0001-01-01T00:00:00Z',
        }
        await hooks.beforeCreate.run(env, request, input, undefined)
        const created = await env.datastore.createWatering(input)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, undefined)
          throw notFound('Bed', input.parentId)
        }
        await hooks.afterCreate.run(env, created, undefined)
        return created
      })
      return c.json(publicWatering(created), 201, {
        Location: `/api/bed/${created.parentId}/watering/${created.id}`,
      })
    })
    .get('/bed/:parentId/watering/:id', ids('parentId', 'id'), async (c) => {
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, undefined)
      await hooks.beforeRead.run(env, input, undefined)
      const found = await datastore.readWatering(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, undefined)
        throw notFound('Watering', input.id)
      }
      await hooks.afterRead.run(env, found, undefined)
      return c.json(publicWatering(found))
    })
}
