import { randomUUIDv7 } from 'node:crypto'
import { Hono } from 'hono'
import type { ApiEnv } from '#lib/api.ts'
import { notFound } from '#lib/errors.ts'
import { withHooks } from '#lib/hooks.ts'
import { afterList, listResponse, page } from '#lib/lists.ts'
import { body, complete, ids, patch } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import { type CreatePaper, PaperRequest, publicPaper, type UpdatePaper } from '../entities.ts'
import type { Env } from '../hooks.ts'

/** The endpoints of Paper. */
export function paperRoutes(env: Env) {
  const { datastore, access, log } = env
  const hooks = env.hooks.paper

  async function update(
    lookup: { id: string; parentId: string },
    sent: Partial<PaperRequest>,
    caller: Caller,
  ) {
    let request: PaperRequest | undefined
    if (hooks.beforeUpdate.isUsed()) {
      await access.requireWritable(lookup.parentId, caller)
      request = await complete(PaperRequest, sent, () => datastore.readPaper(lookup))
    }
    const updated = await withHooks(env, [hooks.beforeUpdate, hooks.afterUpdate], async (env) => {
      const input: UpdatePaper = { ...lookup, ...sent }
      if (request !== undefined) await hooks.beforeUpdate.run(env, request, input, caller)
      const updated = await env.datastore.as(caller).updatePaper(input)
      if (updated === undefined) {
        await env.access.requireWritable(input.parentId, caller)
        throw notFound('Paper', input.id)
      }
      await hooks.afterUpdate.run(env, updated, caller)
      return updated
    })
    return publicPaper(updated)
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
      const found = await datastore.batchesOfPaper(input)
      const list = await afterList(hooks.afterList, env, found, caller)
      return listResponse(c, log, 'PaperList', list, publicPaper)
    },
  )

  return new Hono<ApiEnv & { Variables: { caller: Caller } }>()
    .route('/drawer/:parentId/paper/:id/all', all)
    .route('/drawer/:parentId/paper/all', all)
    .all('/drawer/:parentId/paper/all', (c) =>
      c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET, HEAD' }),
    )
    .post('/drawer/:parentId/paper', ids('parentId'), body(PaperRequest), async (c) => {
      const { caller } = c.var
      const { parentId } = c.req.valid('param')
      const request = c.req.valid('json')
      if (hooks.beforeCreate.isUsed()) await access.requireWritable(parentId, caller)
      const created = await withHooks(env, [hooks.beforeCreate, hooks.afterCreate], async (env) => {
        const input: CreatePaper = {
          id: randomUUIDv7(),
          parentId,
          ...request,
        }
        await hooks.beforeCreate.run(env, request, input, caller)
        const created = await env.datastore.as(caller).createPaper(input)
        if (created === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Drawer', input.parentId)
        }
        await hooks.afterCreate.run(env, created, caller)
        return created
      })
      return c.json(publicPaper(created), 201, {
        Location: `/api/drawer/${created.parentId}/paper/${created.id}`,
      })
    })
    .get('/drawer/:parentId/paper/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const input = c.req.valid('param')
      if (hooks.beforeRead.isUsed()) await access.requireReadable(input.parentId, caller)
      await hooks.beforeRead.run(env, input, caller)
      const found = await datastore.as(caller).readPaper(input)
      if (found === undefined) {
        await access.requireReadable(input.parentId, caller)
        throw notFound('Paper', input.id)
      }
      await hooks.afterRead.run(env, found, caller)
      return c.json(publicPaper(found))
    })
    .put('/drawer/:parentId/paper/:id', ids('parentId', 'id'), body(PaperRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .patch('/drawer/:parentId/paper/:id', ids('parentId', 'id'), patch(PaperRequest), async (c) => {
      return c.json(await update(c.req.valid('param'), c.req.valid('json'), c.var.caller))
    })
    .delete('/drawer/:parentId/paper/:id', ids('parentId', 'id'), async (c) => {
      const { caller } = c.var
      const lookup = c.req.valid('param')
      if (hooks.beforeDelete.isUsed()) await access.requireWritable(lookup.parentId, caller)
      await withHooks(env, [hooks.beforeDelete, hooks.afterDelete], async (env) => {
        const input = { ...lookup }
        await hooks.beforeDelete.run(env, input, caller)
        const deleted = await env.datastore.as(caller).deletePaper(input)
        if (deleted === undefined) {
          await env.access.requireWritable(input.parentId, caller)
          throw notFound('Paper', input.id)
        }
        await hooks.afterDelete.run(env, deleted, caller)
      })
      return c.json({})
    })
}
