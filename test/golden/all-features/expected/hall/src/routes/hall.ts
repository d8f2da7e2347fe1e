import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { invalidParameter, notFound } from '#lib/errors.ts'
import { listQuery } from '#lib/filters.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { hasChanged, ifMatch, isNotModified, tagOf, type Versions } from '#lib/versions.ts'
import { type CreateHall, HallQuery, HallRequest, publicHall, type UpdateHall } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Hall. */
export function hallRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  async function update(
    lookup: { id: string },
    sent: Partial<HallRequest>,
    caller: Caller,
    versions: Versions,
  ) {
    let request: HallRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, caller)
      request = await complete(HallRequest, sent, () => datastore.readHall(lookup))
    }
    return withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateHall = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.updateHall(input, versions)
      if (updated === undefined) {
        await env.access.requireWritable(input.id, caller)
        if (versions !== undefined) throw hasChanged('Hall')
        throw notFound('Hall', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
  }

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .get('/hall/all', listQuery(HallQuery), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, caller)
      const found = await datastore.batchesOfHall(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'HallList', list, publicHall)
    })
    .all('/hall/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/hall', body(HallRequest), async (c) => {
      const { caller } = c.var
      const request = c.req.valid('json')
      if (request.state !== 'open') throw invalidParameter('state', 'must be open')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateHall = {
          id: randomUUIDv7(),
          ...request,
          earned: '0.0000',
          badgeSize: '2xl',
          added: new Date().toISOString(),
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createHall(input, caller)
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicHall(created), 201, { Location: `/api/hall/${created.id}`, ...tagOf(created) })
    })
    .get('/hall/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readHall(input)
      if (found === undefined) throw notFound('Hall', input.id)
      await hooks.afterRead.run(env, found, caller)
      if (isNotModified(c, found)) return c.body(null, 304, tagOf(found))
      return c.json(publicHall(found), 200, tagOf(found))
    })
    .put('/hall/:id', ids('id'), body(HallRequest), async (c) => {
      const updated = await update(c.req.valid('param'), c.req.valid('json'), c.var.caller, ifMatch(c))
      return c.json(publicHall(updated), 200, tagOf(updated))
    })
    .patch('/hall/:id', ids('id'), patch(HallRequest), async (c) => {
      const updated = await update(c.req.valid('param'), c.req.valid('json'), c.var.caller, ifMatch(c))
      return c.json(publicHall(updated), 200, tagOf(updated))
    })
    .delete('/hall/:id', ids('id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      const versions = ifMatch(c)
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.deleteHall(input, versions)
        if (deleted === undefined) {
          await env.access.requireWritable(input.id, caller)
          if (versions !== undefined) throw hasChanged('Hall')
          throw notFound('Hall', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
