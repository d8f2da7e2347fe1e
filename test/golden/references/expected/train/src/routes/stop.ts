import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { requireReferences } from '#lib/references.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import {
  type CreateStop,
  publicStop,
  StopRequest,
  type UpdateStop,
  type UpdateStopRequest,
} from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Stop. */
export function stopRoutes(env: Env) {
  const { comm, datastore, access } = env
  const hooks = env.hooks.stop

  async function update(
    lookup: { id: string; parentId: string },
    sent: Partial<StopRequest>,
    caller: Caller,
  ) {
    const { city: _city, ...attributes } = sent
    await access.requireWritable(lookup.parentId, caller)
    const stored = await datastore.readStop(lookup)
    if (stored === undefined) throw notFound('Stop', lookup.id)
    const request: UpdateStopRequest = await complete(StopRequest, sent, () => stored)
    await requireReferences([{ to: comm.city, id: request.city }], caller)
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateStop = { ...lookup, ...attributes }
      await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateStop(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.parentId, caller)
        throw notFound('Stop', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicStop(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/train/:parentId/stop', ids('parentId'), body(StopRequest), async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      const { city: _city, ...attributes } = request
      await access.requireWritable(parentId, caller)
      await requireReferences([{ to: comm.city, id: request.city }], caller)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateStop = {
          id: randomUUIDv7(),
          parentId,
          ...attributes,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.as(caller).createStop(input)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Train', input.parentId)
        }
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicStop(created), 201, {
        Location: `/api/train/${created.parentId}/stop/${created.id}`,
      })
    })
    .get('/train/:parentId/stop/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readStop(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, caller)
        throw notFound('Stop', input.id)
      }
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicStop(found))
    })
    .put('/train/:parentId/stop/:id', ids('parentId', 'id'), body(StopRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/train/:parentId/stop/:id', ids('parentId', 'id'), patch(StopRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/train/:parentId/stop/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.parentId, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteStop(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Stop', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
