import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { requireReferences } from '#lib/references.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import {
  type CreateTrain,
  publicTrain,
  TrainRequest,
  type UpdateTrain,
  type UpdateTrainRequest,
} from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Train. */
export function trainRoutes(env: Env) {
  const { comm, datastore, access, log, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<TrainRequest>, caller: Caller) {
    const { detour: _detour, ...attributes } = sent
    await access.requireWritable(lookup.id, caller)
    const stored = await datastore.readTrain(lookup)
    if (stored === undefined) throw notFound('Train', lookup.id)
    const request: UpdateTrainRequest = await complete(TrainRequest, sent, () => stored)
    await requireReferences(
      [
        { to: comm.city, id: request.from, stored: stored.from },
        { to: comm.city, id: request.to, stored: stored.to },
        { to: comm.traveller, id: request.driver, stored: stored.driver },
        { to: comm.city, id: request.detour },
      ],
      caller,
    )
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateTrain = { ...lookup, ...attributes }
      await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateTrain(input)
      if (updated === undefined) throw notFound('Train', input.id)
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicTrain(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/train/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.as(caller).batchesOfTrain(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'TrainList', list, publicTrain)
    })
    .all('/train/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/train', body(TrainRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const { detour: _detour, ...attributes } = request
      await requireReferences(
        [
          { to: comm.city, id: request.from },
          { to: comm.city, id: request.to },
          { to: comm.traveller, id: request.driver },
          { to: comm.city, id: request.detour },
        ],
        caller,
      )
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateTrain = {
          id: randomUUIDv7(),
          ...attributes,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createTrain(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicTrain(created), 201, { Location: `/api/train/${created.id}` })
    })
    .get('/train/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readTrain(input)
      if (found === undefined) throw notFound('Train', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicTrain(found))
    })
    .put('/train/:id', ids('id'), body(TrainRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/train/:id', ids('id'), patch(TrainRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/train/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteTrain(input)
        if (deleted === undefined) throw notFound('Train', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
