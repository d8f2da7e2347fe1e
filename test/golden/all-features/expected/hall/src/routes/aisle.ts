import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { requireReferences, unknownReference } from '#lib/references.ts'
import { body, ids } from '#lib/requests.ts'
import { entries, onViolation } from '#lib/siblings.ts'
import type { Caller } from '#lib/tokens.ts'
import { AisleRequest, type CreateAisle, publicAisle } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Aisle. */
export function aisleRoutes(env: Env) {
  const { datastore, access, log } = env
  const hooks = env.hooks.aisle

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
      const found = await datastore.batchesOfAisle(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'AisleList', list, publicAisle)
    },
  )

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .route('/hall/:parentId/aisle/:id/all', all)
    .route('/hall/:parentId/aisle/all', all)
    .all('/hall/:parentId/aisle/all', (c) =>
      c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }),
    )
    .post('/hall/:parentId/aisle', ids('parentId'), body(AisleRequest), async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      await access.requireWritable(parentId, caller)
      const boothEntries = entries('Booth', (id) => datastore.readBooth({ id, parentId }))
      await requireReferences(
        [
          { to: boothEntries, id: request.from },
          { to: boothEntries, id: request.to },
        ],
        caller,
      )
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateAisle = {
          id: randomUUIDv7(),
          parentId,
          ...request,
          checked: '0001-01-01T00:00:00Z',
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore
          .createAisle(input)
          .catch(onViolation(() => unknownReference('Booth', input.from), ['aisle__from__fkey']))
          .catch(onViolation(() => unknownReference('Booth', input.to), ['aisle__to__fkey']))
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Hall', input.parentId)
        }
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicAisle(created), 201, {
        Location: `/api/hall/${created.parentId}/aisle/${created.id}`,
      })
    })
    .get('/hall/:parentId/aisle/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.readAisle(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, caller)
        throw notFound('Aisle', input.id)
      }
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicAisle(found))
    })
    .delete('/hall/:parentId/aisle/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.parentId, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.deleteAisle(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Aisle', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
