import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreatePoster, PosterRequest, publicPoster, type UpdatePoster } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Poster. */
export function posterRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<PosterRequest>, caller: Caller) {
    let request: PosterRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(PosterRequest, sent, () => datastore.readPoster(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdatePoster = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updatePoster(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.id, caller)
        throw notFound('Poster', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicPoster(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/poster/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.batchesOfPoster(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'PosterList', list, publicPoster)
    })
    .all('/poster/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/poster', body(PosterRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreatePoster = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createPoster(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicPoster(created), 201, { Location: `/api/poster/${created.id}` })
    })
    .get('/poster/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readPoster(input)
      if (found === undefined) throw notFound('Poster', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicPoster(found))
    })
    .put('/poster/:id', ids('id'), body(PosterRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/poster/:id', ids('id'), patch(PosterRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/poster/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deletePoster(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.id, caller)
          throw notFound('Poster', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
