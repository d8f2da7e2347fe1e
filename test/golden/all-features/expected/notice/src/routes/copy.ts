import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { requireReferences } from '#lib/references.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { CopyRequest, type CreateCopy, publicCopy, type UpdateCopy } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Copy. */
export function copyRoutes(env: Env) {
  const { comm, datastore, access, log } = env
  const hooks = env.hooks.copy

  async function update(
    lookup: { id: string; parentId: string },
    sent: Partial<CopyRequest>,
    caller: Caller,
  ) {
    await access.requireWritable(lookup.parentId, caller)
    const stored = await datastore.readCopy(lookup)
    if (stored === undefined) throw notFound('Copy', lookup.id)
    const request: CopyRequest = await complete(CopyRequest, sent, () => stored)
    await requireReferences([{ to: comm.hall, id: request.hall, stored: stored.hall }], caller)
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdateCopy = { ...lookup, ...sent }
      await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updateCopy(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.parentId, caller)
        throw notFound('Copy', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicCopy(updated)
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
      const found = await datastore.batchesOfCopy(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'CopyList', list, publicCopy)
    },
  )

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .route('/notice/:parentId/copy/:id/all', all)
    .route('/notice/:parentId/copy/all', all)
    .all('/notice/:parentId/copy/all', (c) =>
      c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }),
    )
    .post('/notice/:parentId/copy', ids('parentId'), body(CopyRequest), async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      await access.requireWritable(parentId, caller)
      await requireReferences([{ to: comm.hall, id: request.hall }], caller)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreateCopy = {
          id: randomUUIDv7(),
          parentId,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.as(caller).createCopy(input)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Notice', input.parentId)
        }
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicCopy(created), 201, {
        Location: `/api/notice/${created.parentId}/copy/${created.id}`,
      })
    })
    .get('/notice/:parentId/copy/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readCopy(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, caller)
        throw notFound('Copy', input.id)
      }
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicCopy(found))
    })
    .put('/notice/:parentId/copy/:id', ids('parentId', 'id'), body(CopyRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/notice/:parentId/copy/:id', ids('parentId', 'id'), patch(CopyRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/notice/:parentId/copy/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.parentId, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deleteCopy(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Copy', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
