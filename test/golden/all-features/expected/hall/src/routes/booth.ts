import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { conflict, invalidParameter, notFound } from '#lib/errors.ts'
import { listQuery } from '#lib/filters.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import { onViolation } from '#lib/siblings.ts'
import type { Caller } from '#lib/tokens.ts'
import { hasChanged, ifMatch, isNotModified, tagOf, type Versions } from '#lib/versions.ts'
import { BoothQuery, BoothRequest, type CreateBooth, publicBooth, type UpdateBooth } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Booth. */
export function boothRoutes(env: Env) {
  const { datastore, access, log } = env
  const hooks = env.hooks.booth

  async function update(
    lookup: { id: string; parentId: string },
    sent: Partial<BoothRequest>,
    caller: Caller,
    versions: Versions,
  ) {
    let request: BoothRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.parentId, caller)
      request = await complete(BoothRequest, sent, () => datastore.readBooth(lookup))
    }
    return withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateBooth = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.updateBooth(input, versions)
      if (updated === undefined) {
        await env.access.requireWritable(input.parentId, caller)
        const found = versions && (await env.datastore.readBooth(input))
        if (found !== undefined) throw hasChanged('Booth')
        throw notFound('Booth', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
  }

  const all = new Hono<ApiEnv & { Variables: { caller: Caller } }>().get(
    '/',
    ids('parentId', 'id'),
    listQuery(BoothQuery),
    async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const input = { ...c.req.valid('query'), parentId }
      await access.requireReadable(parentId, caller)
      await hooks.beforeList.run(env, input, caller)
      if (input.parentId !== parentId) await access.requireReadable(input.parentId, caller)
      const found = await datastore.batchesOfBooth(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'BoothList', list, publicBooth)
    },
  )

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .route('/hall/:parentId/booth/:id/all', all)
    .route('/hall/:parentId/booth/all', all)
    .all('/hall/:parentId/booth/all', (c) =>
      c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }),
    )
    .post('/hall/:parentId/booth', ids('parentId'), body(BoothRequest), async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      if (request.state !== 'free') throw invalidParameter('state', 'must be free')
      if (hooks.beforeCreate.isUsed()) await access.requireWritable(parentId, caller)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateBooth = {
          id: randomUUIDv7(),
          parentId,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.createBooth(input)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Hall', input.parentId)
        }
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicBooth(created), 201, {
        Location: `/api/hall/${created.parentId}/booth/${created.id}`,
        ...tagOf(created),
      })
    })
    .get('/hall/:parentId/booth/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readBooth(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, caller)
        throw notFound('Booth', input.id)
      }
      await hooks.afterRead.run(env, found, caller)
      if (isNotModified(c, found)) return c.body(null, 304, tagOf(found))
      return c.json(publicBooth(found), 200, tagOf(found))
    })
    .put('/hall/:parentId/booth/:id', ids('parentId', 'id'), body(BoothRequest), async (c) => {
      const updated = await update(c.req.valid('param'), c.req.valid('json'), c.var.caller, ifMatch(c))
      return c.json(publicBooth(updated), 200, tagOf(updated))
    })
    .patch('/hall/:parentId/booth/:id', ids('parentId', 'id'), patch(BoothRequest), async (c) => {
      const updated = await update(c.req.valid('param'), c.req.valid('json'), c.var.caller, ifMatch(c))
      return c.json(publicBooth(updated), 200, tagOf(updated))
    })
    .delete('/hall/:parentId/booth/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      const versions = ifMatch(c)
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.parentId, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore
          .deleteBooth(input, versions)
          .catch(
            onViolation(
              () => conflict('Booth is still referenced'),
              ['aisle__from__fkey', 'aisle__to__fkey'],
            ),
          )
        if (deleted === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          const found = versions && (await env.datastore.readBooth(input))
          if (found !== undefined) throw hasChanged('Booth')
          throw notFound('Booth', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
