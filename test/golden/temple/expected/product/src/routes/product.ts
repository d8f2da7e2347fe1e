import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, ids } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateProduct, ProductRequest, publicProduct, type UpdateProduct } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Product. */
export function productRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/product/all', page, async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.batchesOfProduct(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'ProductList', list, publicProduct)
    })
    .all('/product/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/product', body(ProductRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateProduct = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createProduct(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicProduct(created), 201, { Location: `/api/product/${created.id}` })
    })
    .get('/product/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readProduct(input)
      if (found === undefined) throw notFound('Product', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicProduct(found))
    })
    .put('/product/:id', ids('id'), body(ProductRequest), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      const request = c.req.valid('json')
      if (hooks.beforeUpdate.isUsed()) await access.requireWritable(lookup.id, caller)
      const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
        const input: UpdateProduct = { ...lookup, ...request }
        await hooks.beforeUpdate.run(env, request, input, caller)
        const updated = await env.datastore.updateProduct(input, caller)
        if (updated === undefined) {
          await env.access.requireWritable(input.id, caller)
          throw notFound('Product', input.id)
        }
        await hooks.afterUpdate.run(env, updated, caller)
        return updated
      })
      return c.json(publicProduct(updated))
    })
    .delete('/product/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.deleteProduct(input, caller)
        if (deleted === undefined) {
          await env.access.requireWritable(input.id, caller)
          throw notFound('Product', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
