import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import { type CreatePlant, PlantRequest, publicPlant, type UpdatePlant } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Plant. */
export function plantRoutes(env: Env) {
  const { datastore, access, log } = env
  const hooks = env.hooks.plant

  async function update(lookup: { id: string; parentId: string }, sent: Partial<PlantRequest>) {
    let request: PlantRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.parentId, undefined)
      request = await complete(PlantRequest, sent, () => datastore.readPlant(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdatePlant = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, undefined)
      const updated = await env.datastore.updatePlant(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.parentId, undefined)
        throw notFound('Plant', input.id)
      }
      await hooks.afterUpdate.run(env, updated, undefined)
      return updated
    })
    return publicPlant(updated)
  }

  const all = new Hono<ApiEnv>().get('/', ids('parentId', 'id'), page, async (c) => {
    const { parentId } = c.req.valid('param')
    const input = { ...c.req.valid('query'), parentId }
    await access.requireReadable(parentId, undefined)
    await hooks.beforeList.run(env, input, undefined)
    if (input.parentId !== parentId) await access.requireReadable(input.parentId, undefined)
    const found = await datastore.batchesOfPlant(input)
    const list = await afterList(hooks.afterList, env, found, undefined)
    return listResponse(c, log, 'PlantList', list, publicPlant)
  })

  return new Hono<ApiEnv>()
    .route('/bed/:parentId/plant/:id/all', all)
    .route('/bed/:parentId/plant/all', all)
    .all('/bed/:parentId/plant/all', (c) =>
      c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }),
    )
    .post('/bed/:parentId/plant', ids('parentId'), body(PlantRequest), async (c) => {
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      if (hooks.beforeCreate.isUsed()) await access.requireWritable(parentId, undefined)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreatePlant = {
          id: randomUUIDv7(),
          parentId,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, undefined)
        const created = await env.datastore.createPlant(input)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, undefined)
          throw notFound('Bed', input.parentId)
        }
        await hooks.afterCreate.run(env, created, undefined)
        return created
      })
      return c.json(publicPlant(created), 201, {
        Location: `/api/bed/${created.parentId}/plant/${created.id}`,
      })
    })
    .get('/bed/:parentId/plant/:id', ids('parentId', 'id'), async (c) => {
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, undefined)
      await hooks.beforeRead.run(env, input, undefined)
      const found = await datastore.readPlant(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, undefined)
        throw notFound('Plant', input.id)
      }
      await hooks.afterRead.run(env, found, undefined)
      return c.json(publicPlant(found))
    })
    .put('/bed/:parentId/plant/:id', ids('parentId', 'id'), body(PlantRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json')))
    })
    .patch('/bed/:parentId/plant/:id', ids('parentId', 'id'), patch(PlantRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json')))
    })
    .delete('/bed/:parentId/plant/:id', ids('parentId', 'id'), async (c) => {
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.parentId, undefined)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, undefined)
        const deleted = await env.datastore.deletePlant(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.parentId, undefined)
          throw notFound('Plant', input.id)
        }
        await hooks.afterDelete.run(env, deleted, undefined)
      })
      return c.json({})
    })
}
