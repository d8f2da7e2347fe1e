import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { CityRequest, type CreateCity, publicCity, type UpdateCity } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of City. */
export function cityRoutes(env: Env) {
  const { datastore, access, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<CityRequest>, caller: Caller) {
    let request: CityRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(CityRequest, sent, () => datastore.readCity(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateCity = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateCity(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.id, caller)
        throw notFound('City', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicCity(updated)
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .post('/city', body(CityRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateCity = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createCity(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicCity(created), 201, { Location: `/api/city/${created.id}` })
    })
    .get('/city/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readCity(input)
      if (found === undefined) throw notFound('City', input.id)
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicCity(found))
    })
    .put('/city/:id', ids('id'), body(CityRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/city/:id', ids('id'), patch(CityRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/city/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteCity(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.id, caller)
          throw notFound('City', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
