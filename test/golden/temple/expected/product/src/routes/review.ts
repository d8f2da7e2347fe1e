import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, ids } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateReview, publicReview, ReviewRequest, type UpdateReview } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Review. */
export function reviewRoutes(env: Env) {
  const { datastore, access, log } = env
  const hooks = env.hooks.review

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
      const found = await datastore.batchesOfReview(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'ReviewList', list, publicReview)
    },
  )

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .route('/product/:parentId/review/:id/all', all)
    .route('/product/:parentId/review/all', all)
    .all('/product/:parentId/review/all', (c) =>
      c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }),
    )
    .post('/product/:parentId/review', ids('parentId'), body(ReviewRequest), async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      if (hooks.beforeCreate.isUsed()) await access.requireWritable(parentId, caller)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateReview = {
          id: randomUUIDv7(),
          parentId,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createReview(input, caller)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Product', input.parentId)
        }
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicReview(created), 201, {
        Location: `/api/product/${created.parentId}/review/${created.id}`,
      })
    })
    .get('/product/:parentId/review/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readReview(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, caller)
        throw notFound('Review', input.id)
      }
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicReview(found))
    })
    .put('/product/:parentId/review/:id', ids('parentId', 'id'), body(ReviewRequest), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      const request = c.req.valid('json')
      if (hooks.beforeUpdate.isUsed()) await access.requireWritable(lookup.parentId, caller)
      const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
        const input: UpdateReview = { ...lookup, ...request }
        await hooks.beforeUpdate.run(env, request, input, caller)
        const updated = await env.datastore.updateReview(input, caller)
        if (updated === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Review', input.id)
        }
        await hooks.afterUpdate.run(env, updated, caller)
        return updated
      })
      return c.json(publicReview(updated))
    })
    .delete('/product/:parentId/review/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.parentId, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.deleteReview(input, caller)
        if (deleted === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Review', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
