import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreateEmpty, EmptyRequest, publicEmpty, type UpdateEmpty } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Empty. */
export function emptyRoutes(env: Env) {
  const { datastore, access, log } = env
  const hooks = env.hooks.empty

  async function update(
    lookup: { id: string; parentId: string },
    sent: Partial<EmptyRequest>,
    caller: Caller,
  ) {
    let request: EmptyRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.parentId, caller)
      request = await complete(EmptyRequest, sent, () => datastore.readEmpty(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateEmpty = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateEmpty(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.parentId, caller)
        throw notFound('Empty', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicEmpty(updated)
  }

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
      const found = await datastore.batchesOfEmpty(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'EmptyList', list, publicEmpty)
    },
  )

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .route('/inner/:parentId/empty/:id/all', all)
    .route('/inner/:parentId/empty/all', all)
    .all('/inner/:parentId/empty/all', (c) =>
      c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }),
    )
    .post('/inner/:parentId/empty', ids('parentId'), body(EmptyRequest), async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      if (hooks.beforeCreate.isUsed()) await access.requireWritable(parentId, caller)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateEmpty = {
          id: randomUUIDv7(),
          parentId,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.as(caller).createEmpty(input)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Inner', input.parentId)
        }
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicEmpty(created), 201, {
        Location: `/api/inner/${created.parentId}/empty/${created.id}`,
      })
    })
    .get('/inner/:parentId/empty/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readEmpty(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, caller)
        throw notFound('Empty', input.id)
      }
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicEmpty(found))
    })
    .put('/inner/:parentId/empty/:id', ids('parentId', 'id'), body(EmptyRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/inner/:parentId/empty/:id', ids('parentId', 'id'), patch(EmptyRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/inner/:parentId/empty/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.parentId, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteEmpty(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Empty', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
