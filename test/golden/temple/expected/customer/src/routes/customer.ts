import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, ids } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateCustomer, CustomerRequest, publicCustomer, type UpdateCustomer } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Customer. */
export function customerRoutes(env: Env) {
  const { datastore, access, hooks } = env

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/customer', body(CustomerRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateCustomer = {
          id: caller.id,
          ...request,
          loyalty: 0,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createCustomer(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicCustomer(created), 201, { Location: `/api/customer/${created.id}` })
    })
    .get('/customer/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readCustomer(input, caller)
      if (found === undefined) throw notFound('Customer', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicCustomer(found))
    })
    .put('/customer/:id', ids('id'), body(CustomerRequest), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      const request = c.req.valid('json')
      if (hooks.beforeUpdate.isUsed()) await access.requireWritable(lookup.id, caller)
      const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
        const input: UpdateCustomer = { ...lookup, ...request }
        await hooks.beforeUpdate.run(env, request, input, caller)
        const updated = await env.datastore.updateCustomer(input, caller)
        if (updated === undefined) throw notFound('Customer', input.id)
        await hooks.afterUpdate.run(env, updated, caller)
        return updated
      })
      return c.json(publicCustomer(updated))
    })
    .delete('/customer/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.deleteCustomer(input, caller)
        if (deleted === undefined) throw notFound('Customer', input.id)
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
    .get('/customer', async (c) => {
      const { caller } = c.var
      const input = { id: caller.id }
      await hooks.beforeIdentify.run(env, input, caller)
      const found = await datastore.readCustomer(input, caller)
      if (found?.id !== caller.id) throw notFound('Customer', caller.id)
      await hooks.afterIdentify.run(env, found, caller)
      return c.redirect(`/api/customer/${found.id}`)
    })
}
