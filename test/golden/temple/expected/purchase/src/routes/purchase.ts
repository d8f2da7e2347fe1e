import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { requireReferences } from '#lib/references.ts'
import { body, ids } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreatePurchase, publicPurchase, PurchaseRequest } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Purchase. */
export function purchaseRoutes(env: Env) {
  const { comm, datastore, access, hooks } = env

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/purchase', body(PurchaseRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      await requireReferences([{ to: comm.product, id: request.product }], caller)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreatePurchase = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createPurchase(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicPurchase(created), 201, { Location: `/api/purchase/${created.id}` })
    })
    .get('/purchase/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readPurchase(input, caller)
      if (found === undefined) throw notFound('Purchase', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicPurchase(found))
    })
    .delete('/purchase/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.deletePurchase(input, caller)
        if (deleted === undefined) throw notFound('Purchase', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
