import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import { BedRequest, type CreateBed, publicBed, type UpdateBed } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Bed. */
export function bedRoutes(env: Env) {
  const { datastore, access, log, hooks } = env

  async function update(lookup: { id: string }, sent: Partial<BedRequest>) {
    let request: BedRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.id, undefined)
      request = await complete(BedRequest, sent, () => datastore.readBed(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateBed = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, undefined)
      const updated = await env.datastore.updateBed(input)
      if (updated === undefined) throw notFound('Bed', input.id)
      await hooks.afterUpdate.run(env, updated, undefined)
      return updated
    })
    return publicBed(updated)
  }

  return new Hono<ApiEnv>()
    .get('/bed/all', page, async (c) => {
      const input = c.req.valid('query')
      await hooks.beforeList.run(env, input, undefined)
      const found = await datastore.batchesOfBed(input)
      const list = await afterList(hooks.afterList, env, found, undefined)
      return listResponse(c, log, 'BedList', list, publicBed)
    })
    .all('/bed/all', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }))
    .post('/bed', body(BedRequest), async (c) => {
      const request = c.req.valid('json')
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateBed = {
          id: randomUUIDv7(),
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, undefined)
        const created = await env.datastore.createBed(input)
        await hooks.afterCreate.run(env, created, undefined)
        return created
      })
      return c.json(publicBed(created), 201, { Location: `/api/bed/${created.id}` })
    })
    .get('/bed/:id', ids('id'), async (c) => {
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.id, undefined)
      await hooks.beforeRead.run(env, input, undefined)
      const found = await datastore.readBed(input)
      if (found === undefined) throw notFound('Bed', input.id)
      await hooks.afterRead.run(env, found, undefined)
      return c.json(publicBed(found))
    })
    .put('/bed/:id', ids('id'), body(BedRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json')))
    })
    .patch('/bed/:id', ids('id'), patch(BedRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json')))
    })
    .delete('/bed/:id', ids('id'), async (c) => {
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.id, undefined)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, undefined)
        const deleted = await env.datastore.deleteBed(input)
        if (deleted === undefined) throw notFound('Bed', input.id)
        await hooks.afterDelete.run(env, deleted, undefined)
      })
      return c.json({})
    })
}
