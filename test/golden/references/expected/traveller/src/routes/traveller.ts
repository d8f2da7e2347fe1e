import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateTraveller, publicTraveller, TravellerRequest, type UpdateTraveller } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Traveller. */
export function travellerRoutes(env: Env) {
  const { datastore, access, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<TravellerRequest>, caller: Caller) {
    let request: TravellerRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(TravellerRequest, sent, () => datastore.readTraveller(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateTraveller = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateTraveller(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.id, caller)
        throw notFound('Traveller', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicTraveller(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/traveller', body(TravellerRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateTraveller = {
          id: caller.id,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createTraveller(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicTraveller(created), 201, { Location: `/api/traveller/${created.id}` })
    })
    .get('/traveller/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readTraveller(input)
      if (found === undefined) throw notFound('Traveller', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicTraveller(found))
    })
    .put('/traveller/:id', ids('id'), body(TravellerRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/traveller/:id', ids('id'), patch(TravellerRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/traveller/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteTraveller(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.id, caller)
          throw notFound('Traveller', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
    .get('/traveller', async (c) => {
      const { caller } = c.var
      const input = { id: caller.id }
      await hooks.beforeIdentify.run(env, input, caller)
      const found = await datastore.readTraveller(input)
      if (found?.id !== caller.id) throw notFound('Traveller', caller.id)
      await hooks.afterIdentify.run(env, found, caller)
      return c.redirect(`/api/traveller/${found.id}`)
    })
}
