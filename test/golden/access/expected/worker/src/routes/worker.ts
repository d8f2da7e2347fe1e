import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateWorker, publicWorker, type UpdateWorker, WorkerRequest } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Worker. */
export function workerRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<WorkerRequest>, caller: Caller) {
    let request: WorkerRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(WorkerRequest, sent, () => datastore.readWorker(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateWorker = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateWorker(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.id, caller)
        throw notFound('Worker', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicWorker(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/worker/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.batchesOfWorker(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'WorkerList', list, publicWorker)
    })
    .all('/worker/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/worker', body(WorkerRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateWorker = {
          id: caller.id,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createWorker(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicWorker(created), 201, { Location: `/api/worker/${created.id}` })
    })
    .get('/worker/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readWorker(input)
      if (found === undefined) throw notFound('Worker', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicWorker(found))
    })
    .put('/worker/:id', ids('id'), body(WorkerRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/worker/:id', ids('id'), patch(WorkerRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/worker/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteWorker(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.id, caller)
          throw notFound('Worker', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
    .get('/worker', async (c) => {
      const { caller } = c.var
      const input = { id: caller.id }
      await hooks.beforeIdentify.run(env, input, caller)
      const found = await datastore.readWorker(input)
      if (found?.id !== caller.id) throw notFound('Worker', caller.id)
      await hooks.afterIdentify.run(env, found, caller)
      return c.redirect(`/api/worker/${found.id}`)
    })
}
